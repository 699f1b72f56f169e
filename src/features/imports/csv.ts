import { maxRow, TooLong } from './too-long.ts'

export type CsvRecord = { number: number; fields: string[]; fault?: string }

const delimiters = [',', ';', '\t']
const maxHeader = 100_000

/**
 * Splits CSV into records as it arrives. Each byte is one character, so that a letter cut in two by the network needs
 * no care; what a field says is decoded later, and bytes that are no UTF-8 are then known by their row and column.
 */
export async function* csvRecords(chunks: AsyncIterable<Buffer>): AsyncGenerator<CsvRecord> {
  const guess = guesser()
  let head = ''
  let split: ReturnType<typeof splitter> | undefined
  for await (const chunk of chunks) {
    let text = chunk.toString('latin1')
    if (!split) {
      head += text
      if (!guess.feed(text)) {
        if (head.length > maxHeader) throw new TooLong(1)
        continue
      }
      split = splitter(guess.delimiter())
      text = withoutMark(head)
    }
    yield* split.feed(text)
  }
  if (!split) {
    split = splitter(guess.delimiter())
    yield* split.feed(withoutMark(head))
  }
  yield* split.end()
}

const withoutMark = (text: string): string => (text.startsWith('\xef\xbb\xbf') ? text.slice(3) : text)

/** The delimiter that the first record has most of; a comma where it has none. */
const guesser = () => {
  const counts = new Map(delimiters.map((delimiter) => [delimiter, 0]))
  let quoted = false
  return {
    /** True once the first record has ended. */
    feed(text: string): boolean {
      for (const sign of text) {
        if (sign === '"') quoted = !quoted
        else if (!quoted && (sign === '\n' || sign === '\r')) return true
        else if (!quoted && counts.has(sign)) counts.set(sign, counts.get(sign)! + 1)
      }
      return false
    },
    delimiter: () => delimiters.reduce((best, one) => (counts.get(one)! > counts.get(best)! ? one : best)),
  }
}

/** `closed`: behind a quote that ends a field, or is the first of two that stand for one. */
type State = 'start' | 'plain' | 'quoted' | 'closed' | 'behind'

/** Records end with LF, CRLF or CR. A quote counts only where a field begins. */
const splitter = (delimiter: string) => {
  let state: State = 'start'
  let record: CsvRecord = { number: 1, fields: [] }
  let field = ''
  let size = 0
  let afterReturn = false
  const plainEnd = new RegExp(`[${delimiter}\\r\\n]`, 'g')

  const add = (text: string): void => {
    field += text
    size += text.length
    if (size > maxRow) throw new TooLong(record.number)
  }
  const endField = (): void => {
    record.fields.push(field)
    size += 1
    field = ''
    state = 'start'
  }
  const endRecord = (): CsvRecord => {
    endField()
    const ended = record
    record = { number: ended.number + 1, fields: [] }
    size = 0
    return ended
  }
  /** Gives where to go on. */
  const inQuotes = (text: string, from: number): number => {
    const end = text.indexOf('"', from)
    add(text.slice(from, end < 0 ? text.length : end))
    if (end < 0) return text.length
    state = 'closed'
    return end + 1
  }
  const outside = (text: string, from: number): number => {
    if (state === 'start' && text[from] === '"') {
      state = 'quoted'
      return from + 1
    }
    plainEnd.lastIndex = from
    const end = plainEnd.exec(text)?.index ?? text.length
    const part = text.slice(from, end)
    if (state === 'behind' && part.trim() !== '') record.fault = 'has text behind a closing quote'
    if (state === 'start' && part !== '') state = 'plain'
    if (state !== 'behind') add(part)
    return end
  }

  return {
    *feed(text: string): Generator<CsvRecord> {
      let at = 0
      while (at < text.length) {
        if (state === 'quoted') at = inQuotes(text, at)
        else if (state === 'closed' && text[at] === '"') {
          add('"')
          state = 'quoted'
          at += 1
        } else {
          if (state === 'closed') state = 'behind'
          const isRest = afterReturn && text[at] === '\n'
          afterReturn = false
          if (isRest) {
            at += 1
            continue
          }
          at = outside(text, at)
          // The quote that opens a field may be the last that has arrived.
          if ((state as State) === 'quoted' || at === text.length) continue
          const sign = text[at]
          at += 1
          afterReturn = sign === '\r'
          if (sign === delimiter) endField()
          else yield endRecord()
        }
      }
    },
    *end(): Generator<CsvRecord> {
      if (state === 'quoted') record.fault = 'has a quote that is never closed'
      if (state !== 'start' || record.fields.length > 0) yield endRecord()
    },
  }
}
