export type Part = { kind: 'same' | 'gone' | 'come'; text: string }

/** More than this squared would be felt; then whole texts stand against each other. */
const most = 1500

const wordsOf = (text: string): string[] => text.match(/\s+|[^\s]+/g) ?? []

/** The longest common run of words decides what stayed. */
export const wordDiff = (before: string, after: string): Part[] => {
  let [a, b] = [wordsOf(before), wordsOf(after)]
  let start = 0
  while (start < a.length && start < b.length && a[start] === b[start]) start += 1
  let end = 0
  while (end < a.length - start && end < b.length - start && a.at(-1 - end) === b.at(-1 - end)) end += 1
  const [head, tail] = [a.slice(0, start), a.slice(a.length - end)]
  a = a.slice(start, a.length - end)
  b = b.slice(start, b.length - end)
  const middle: Part[] =
    a.length > most || b.length > most ? [part('gone', a), part('come', b)] : between(a, b)
  return joined([part('same', head), ...middle, part('same', tail)])
}

const part = (kind: Part['kind'], words: string[]): Part => ({ kind, text: words.join('') })

const between = (a: string[], b: string[]): Part[] => {
  const width = b.length + 1
  const lengths = new Uint16Array((a.length + 1) * width)
  for (let i = a.length - 1; i >= 0; i -= 1)
    for (let j = b.length - 1; j >= 0; j -= 1)
      lengths[i * width + j] =
        a[i] === b[j]
          ? lengths[(i + 1) * width + j + 1]! + 1
          : Math.max(lengths[(i + 1) * width + j]!, lengths[i * width + j + 1]!)
  const parts: Part[] = []
  let [i, j] = [0, 0]
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      parts.push({ kind: 'same', text: a[i]! })
      i += 1
      j += 1
    } else if (
      j >= b.length ||
      (i < a.length && lengths[(i + 1) * width + j]! >= lengths[i * width + j + 1]!)
    ) {
      parts.push({ kind: 'gone', text: a[i]! })
      i += 1
    } else {
      parts.push({ kind: 'come', text: b[j]! })
      j += 1
    }
  }
  return parts
}

const joined = (parts: Part[]): Part[] => {
  const found: Part[] = []
  for (const { kind, text } of parts) {
    if (text === '') continue
    const last = found.at(-1)
    if (last?.kind === kind) last.text += text
    else found.push({ kind, text })
  }
  return found
}
