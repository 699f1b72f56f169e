import { isUtf8 } from 'node:buffer'
import { type FieldError, invalid } from '../../errors.ts'
import { type Column, type Mapping, readHeader } from './columns.ts'
import { type CsvRecord, csvRecords } from './csv.ts'
import { decode } from './decode.ts'
import type { FileRow } from './table.ts'
import { maxRow, TooLong } from './too-long.ts'

export const fileFormats = ['csv', 'ndjson'] as const
export type FileFormat = (typeof fileFormats)[number]

/** What rows are held against. */
export type Judge = {
  /** The schema of a body. */
  schema: object
  /** What is wrong with a body; takes away what a body may hold and nobody reads. */
  faults(body: object): FieldError[]
}

const notUtf8 = 'holds bytes that are not UTF-8'

/** The rows of a CSV file; `named` is told its columns. Rows without anything are passed over, and counted. */
export async function* csvRows(
  chunks: AsyncIterable<Buffer>,
  judge: Judge,
  mapping: Mapping,
  named: (columns: Record<string, string>) => void,
): AsyncGenerator<FileRow> {
  let columns: (Column | null)[] | undefined
  for await (const record of csvRecords(chunks)) {
    if (columns) {
      if (record.fields.some((field) => field.trim() !== '')) yield judged(readRecord(record, columns), judge)
      continue
    }
    columns = readHeader(headerOf(record), judge.schema, mapping)
    named(Object.fromEntries(columns.flatMap((column) => (column ? [[column.path, column.name]] : []))))
  }
  if (!columns) throw invalid('', 'the file must begin with a row that names its columns')
}

const headerOf = ({ fields, fault }: CsvRecord): string[] => {
  const names = fields.map(decode)
  if (fault) throw invalid('columns', fault)
  if (names.includes(undefined)) throw invalid('columns', notUtf8)
  return names as string[]
}

/** What is empty stays as it is. */
const readRecord = ({ number, fields, fault }: CsvRecord, columns: (Column | null)[]): FileRow => {
  if (fault) return { number, faults: [{ path: '', message: fault }] }
  if (fields.length !== columns.length) {
    const message = `has ${fields.length} fields, and the header has ${columns.length}`
    return { number, faults: [{ path: '', message }] }
  }
  const body: Record<string, unknown> = {}
  const faults: FieldError[] = []
  for (const [index, column] of columns.entries()) {
    if (!column || fields[index]!.trim() === '') continue
    const text = decode(fields[index]!)
    if (text === undefined) faults.push({ path: column.path, message: notUtf8 })
    else column.write(body, text)
  }
  return { number, body, faults }
}

/** The rows of a file in which each line is a body. Empty lines are passed over, and counted. */
export async function* ndjsonRows(chunks: AsyncIterable<Buffer>, judge: Judge): AsyncGenerator<FileRow> {
  let number = 0
  for await (const line of linesOf(chunks)) {
    number += 1
    const isBlank = line.every((byte) => byte === 0x20 || byte === 0x09 || byte === 0x0d)
    if (!isBlank) yield judged(readLine(number, line), judge)
  }
}

const mark = Buffer.from('\ufeff')

async function* linesOf(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let [parts, size, number]: [Buffer[], number, number] = [[], 0, 1]
  const add = (part: Buffer): void => {
    parts.push(part)
    size += part.length
    if (size > maxRow) throw new TooLong(number)
  }
  const end = (): Buffer => {
    const line = parts.length === 1 ? parts[0]! : Buffer.concat(parts)
    const isMarked = number === 1 && line.subarray(0, mark.length).equals(mark)
    ;[parts, size, number] = [[], 0, number + 1]
    return isMarked ? line.subarray(mark.length) : line
  }
  for await (const chunk of chunks) {
    let from = 0
    for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, from)) {
      add(chunk.subarray(from, at))
      yield end()
      from = at + 1
    }
    add(chunk.subarray(from))
  }
  yield end()
}

const readLine = (number: number, line: Buffer): FileRow => {
  const wrong = (message: string): FileRow => ({ number, faults: [{ path: '', message }] })
  if (!isUtf8(line)) return wrong(notUtf8)
  try {
    const body: unknown = JSON.parse(line.toString())
    if (typeof body !== 'object' || body === null || Array.isArray(body)) return wrong('must be an object')
    return { number, body: body as Record<string, unknown> }
  } catch {
    return wrong('is not valid JSON')
  }
}

/** Of a row with faults nothing else is kept. */
const judged = ({ number, body, faults = [] }: FileRow, judge: Judge): FileRow => {
  const all = [...faults, ...(body ? judge.faults(body) : [])]
  return all.length > 0 ? { number, faults: all } : { number, body: body! }
}
