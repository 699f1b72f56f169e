import { sql } from 'kysely'
import { conflict } from '../errors.ts'
import type { Tx } from './connect.ts'
import { insertUnlessTaken, insertWhole, type Writer } from './records.ts'
import type { RecordTables } from './schema.ts'

/** `Café «Zürich» 24` → `cafe-zurich-24`; letters of other scripts stay. */
export const slugify = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 100)
    .replace(/-+$/, '')
    .normalize('NFC') || 'untitled'

type Slugged = {
  [T in keyof RecordTables]: RecordTables[T] extends { slug: string } ? T : never
}[keyof RecordTables]

/** Inserts all columns with the slug that was sent, or 409; without one with a free slug made from the name. */
export const insertWithSlug = async <T extends Slugged>(
  tx: Tx,
  table: T,
  writer: Writer,
  values: Record<string, unknown>,
  sent: string | null | undefined,
  name: string,
) => {
  if (sent) return insertWhole(tx, table, writer, { ...values, slug: sent })
  const constraint = `${table}_slug_unique`
  // Another transaction may take the slug between the look and the insert; then the next number is tried.
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    const slug = await freeSlug(tx, table, writer.environment_id, name, attempt > 0)
    const row = await insertUnlessTaken(tx, table, writer, { ...values, slug }, constraint)
    if (row) return row
  }
  throw conflict('slug', 'is already taken')
}

export const maxAttempts = 20

/**
 * A slug from the name, with a number where it is taken. Whoever lost a race stands in line: without the
 * lock n writers of one name would need up to n attempts each.
 */
export const freeSlug = async (
  tx: Tx,
  table: Slugged,
  environmentId: string,
  name: string,
  inLine: boolean,
): Promise<string> => {
  const wanted = slugify(name)
  if (inLine)
    await sql`select pg_advisory_xact_lock(hashtextextended(${`${table} ${environmentId} ${wanted}`}, 0))`.execute(
      tx,
    )
  return firstFree(wanted, async (slugs) => {
    const { rows } = await sql<{ slug: string }>`select slug from ${sql.table(table)}
      where environment_id = ${environmentId} and slug = any(${slugs}::text[])`.execute(tx)
    return new Set(rows.map((row) => row.slug))
  })
}

/** The slug itself or the first free number behind it; `taken` tells which of some slugs are. */
export const firstFree = async (
  wanted: string,
  taken: (slugs: string[]) => Promise<Set<string>>,
): Promise<string> => {
  const findFree = async (numbers: number[]): Promise<number | undefined> => {
    const found = await taken(numbers.map((number) => numbered(wanted, number)))
    return numbers.find((number) => !found.has(numbered(wanted, number)))
  }
  const few = await findFree(Array.from({ length: 20 }, (_, index) => index + 1))
  if (few !== undefined) return numbered(wanted, few)
  // Thousands of one name: a free number by doubling, then the first one by halving.
  let free = (await findFree(Array.from({ length: 25 }, (_, power) => 32 * 2 ** power)))!
  let last = free / 2
  while (free - last > 1) {
    const middle = Math.floor((free + last) / 2)
    if ((await findFree([middle])) === undefined) last = middle
    else free = middle
  }
  return numbered(wanted, free)
}

const numbered = (slug: string, number: number): string => (number === 1 ? slug : `${slug}-${number}`)
