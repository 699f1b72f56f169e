import { sql } from 'kysely'
import type { Db } from '../../../database/connect.ts'
import type { Due } from './claim.ts'

/** Deliveries whose messages are made together. */
const most = 100
/** Of payloads as PostgreSQL stores them, which is a fifth of what they are as text: 8 MB. */
const mostBytes = 1_600_000

/** Parts of which each can be made into messages in bounded memory. A payload counts once, whoever it goes to. */
export const chunksOf = async (db: Db, due: Due[]): Promise<Due[][]> => {
  if (due.length === 0) return []
  const sizes = new Map([...(await eventSizes(db, due)), ...(await publicationSizes(db, due))])
  const chunks: Due[][] = []
  let chunk: Due[] = []
  let subjects = new Map<string, number>()
  for (const one of due) {
    const subject = subjectOf(one)
    const held = subjects.set(subject, sizes.get(subject) ?? 0)
    const bytes = held.values().reduce((sum, size) => sum + size, 0)
    if (chunk.length === most || (chunk.length > 0 && bytes > mostBytes)) {
      chunks.push(chunk)
      chunk = []
      subjects = new Map([[subject, sizes.get(subject) ?? 0]])
    }
    chunk.push(one)
  }
  return [...chunks, chunk]
}

/** What its payload is made of. */
const subjectOf = ({ sequence, environment_id, record_id }: Due): string =>
  sequence ?? `${environment_id} ${record_id}`

type Sized = { subject: string; size: string }
const sizesOf = (rows: Sized[]): [string, number][] =>
  rows.map(({ subject, size }) => [subject, Number(size)])

const eventSizes = async (db: Db, due: Due[]): Promise<[string, number][]> => {
  const sequences = new Set(due.flatMap(({ sequence }) => sequence ?? []))
  if (sequences.size === 0) return []
  const { rows } = await sql<Sized>`select sequence as subject, pg_column_size(snapshot) as size
    from events where sequence = any(${[...sequences]}::bigint[])`.execute(db)
  return sizesOf(rows)
}

const publicationSizes = async (db: Db, due: Due[]): Promise<[string, number][]> => {
  const asked = due.filter(({ sequence, record_id }) => sequence === null && record_id !== null)
  if (asked.length === 0) return []
  const { rows } =
    await sql<Sized>`select environment_id || ' ' || id as subject, sum(pg_column_size(items)) as size
    from publication_locales where environment_id = any(${[...new Set(asked.map((one) => one.environment_id))]}::text[])
      and id = any(${[...new Set(asked.map((one) => one.record_id))]}::text[])
    group by environment_id, id`.execute(db)
  return sizesOf(rows)
}
