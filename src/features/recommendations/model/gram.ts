import { type Histories, type Sparse, transpose } from './matrix.ts'

/** How often publications go together, weighted: per publication its strongest companions, by number. */
export type Gram = Sparse & {
  /** Of each publication with itself. */
  diagonal: Float32Array
}

/** Persons with long histories say less of each: n^-0.3. */
export const weightOf = (length: number): number => length ** -0.3

/**
 * Rows of XᵀWX, each cut to its `keep` strongest. One dense row at a time is added up from the histories of those who
 * had the publication, so memory does not grow with the number of pairs.
 */
export const gramOf = (histories: Histories, items: number, keep: number): Gram => {
  const { starts, columns, values } = histories
  const byItem = transpose(histories, items)
  const row = new Float32Array(items)
  const touched = new Int32Array(items)
  const diagonal = new Float32Array(items)
  const kept = growing()
  const rowStarts = new Int32Array(items + 1)
  for (let item = 0; item < items; item++) {
    let count = 0
    for (let at = byItem.starts[item]!; at < byItem.starts[item + 1]!; at++) {
      const person = byItem.columns[at]!
      const from = starts[person]!
      const to = starts[person + 1]!
      const weight = byItem.values[at]! * weightOf(to - from)
      for (let other = from; other < to; other++) {
        const column = columns[other]!
        if (row[column] === 0) touched[count++] = column
        row[column]! += weight * values[other]!
      }
    }
    diagonal[item] = row[item]!
    row[item] = 0
    kept.add(strongest(row, touched.subarray(0, count), keep), row)
    for (let at = 0; at < count; at++) row[touched[at]!] = 0
    rowStarts[item + 1] = kept.length()
  }
  return { starts: rowStarts, ...kept.arrays(), diagonal }
}

/** The columns of the largest values, in order of number. Those of value 0 are none. */
export const strongest = (row: Float32Array, touched: Int32Array, keep: number): Int32Array => {
  const found = new Int32Array(touched.length)
  const values = new Float32Array(touched.length)
  let length = 0
  for (let at = 0; at < touched.length; at++) {
    const value = row[touched[at]!]!
    if (!(value > 0)) continue
    found[length] = touched[at]!
    values[length++] = value
  }
  if (length <= keep) return found.slice(0, length).sort()
  const least = quickSelect(values.subarray(0, length), keep)
  const chosen = new Int32Array(keep)
  let count = 0
  for (let at = 0; at < length; at++) if (row[found[at]!]! > least) chosen[count++] = found[at]!
  for (let at = 0; at < length && count < keep; at++)
    if (row[found[at]!] === least) chosen[count++] = found[at]!
  return chosen.sort()
}

/** The value that `keep` of them reach. */
const quickSelect = (values: Float32Array, keep: number): number => {
  let low = 0
  let high = values.length - 1
  const wanted = keep - 1
  while (low < high) {
    const pivot = values[(low + high) >> 1]!
    let left = low
    let right = high
    while (left <= right) {
      while (values[left]! > pivot) left++
      while (values[right]! < pivot) right--
      if (left > right) break
      const swapped = values[left]!
      values[left++] = values[right]!
      values[right--] = swapped
    }
    if (wanted <= right) high = right
    else if (wanted >= left) low = left
    else break
  }
  return values[wanted]!
}

const growing = () => {
  let columns = new Int32Array(1 << 16)
  let values = new Float32Array(1 << 16)
  let length = 0
  return {
    length: () => length,
    add(chosen: Int32Array, row: Float32Array): void {
      if (length + chosen.length > columns.length) {
        const size = Math.ceil((length + chosen.length) * 1.4)
        const [grownColumns, grownValues] = [new Int32Array(size), new Float32Array(size)]
        grownColumns.set(columns)
        grownValues.set(values)
        columns = grownColumns
        values = grownValues
      }
      for (const column of chosen) {
        columns[length] = column
        values[length++] = row[column]!
      }
    },
    arrays: () => ({ columns: columns.slice(0, length), values: values.slice(0, length) }),
  }
}
