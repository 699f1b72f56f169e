/** The beginning of a file, as far as a mapping of its columns needs it. */
export type Beginning = { columns: string[]; first: string[] }

const looked = 262_144

/** Separated by commas, semicolons or tabs, whichever the first row has most of, as the service reads it. */
const separatorOf = (line: string): string =>
  [',', ';', '\t'].reduce((best, one) => (line.split(one).length > line.split(best).length ? one : best))

/** The names of the columns and the first row, quotes understood. */
export const readBeginning = async (file: Blob): Promise<Beginning> => {
  const text = (await file.slice(0, looked).text()).replace(/^\uFEFF/, '')
  const separator = separatorOf(text.split(/\r?\n/, 1)[0] ?? '')
  const [columns = [], first = []] = rowsOf(text, separator, 2)
  return { columns: columns.map((name) => name.trim()), first }
}

const rowsOf = (text: string, separator: string, count: number): string[][] => {
  const rows: string[][] = []
  let row: string[] = []
  let cell = ''
  let quoted = false
  for (let index = 0; index < text.length && rows.length < count; index += 1) {
    const letter = text[index]!
    if (quoted) {
      if (letter !== '"') cell += letter
      else if (text[index + 1] === '"') {
        cell += '"'
        index += 1
      } else quoted = false
    } else if (letter === '"' && cell === '') quoted = true
    else if (letter === separator) {
      row.push(cell)
      cell = ''
    } else if (letter === '\n') {
      rows.push([...row, cell.replace(/\r$/, '')])
      row = []
      cell = ''
    } else cell += letter
  }
  if (rows.length < count && (cell !== '' || row.length > 0)) rows.push([...row, cell])
  return rows
}

export const isNdjson = (file: File): boolean => /\.(ndjson|jsonl)$/i.test(file.name)
