import { sql } from 'kysely'
import type { Db } from '../../database/connect.ts'
import { bodyOf } from '../webhooks/body.ts'

/** An event as it is sent to whoever sees everything. */
export type Entry = {
  sequence: number
  event: string
  /** The body, written once for all streams. */
  text: string
  /** A publication as filters see it, as JSON; nothing for other records. */
  match: string | null
}

/** Everything that was asked for behind a position, up to and including `upTo`. */
export type Page = { entries: Entry[]; upTo: number; isLast: boolean }

const pageSize = 500
/** What one statement looks through at most: those who ask for rare events pass by many others. */
const span = 100_000
/** Of snapshots as PostgreSQL stores them, which is a fifth of what they are as text. */
const pageBytes = 131_072

type Row = Parameters<typeof bodyOf>[0] & {
  sequence: string | null
  match: string | null
  found: string | null
  last: string
}

/** The number of the last event of all environments. */
export const readEnd = async (db: Db): Promise<number> => {
  const { rows } = await sql<{ last: string }>`select last from event_sequence`.execute(db)
  return Number(rows[0]!.last)
}

/**
 * One page of an environment's events, in order. The end is read by the same statement, and the dispatcher moves it
 * together with its events: nothing can appear between them afterwards.
 */
export const readEvents = async (
  db: Db,
  environmentId: string,
  after: number,
  names: readonly string[],
): Promise<Page> => {
  const { rows } = await sql<Row>`
    select event_sequence.last, page.* from event_sequence left join lateral (
      select sequence, id, created_on, event, snapshot, match::text as match, performed_by, found from (
        select *, count(*) over () as found, sum(size) over (order by sequence) - size as before from (
          select *, pg_column_size(snapshot) + coalesce(pg_column_size(match), 0) as size from events
          where environment_id = ${environmentId} and sequence > ${after} and sequence <= ${after + span}
            and event = any(${names}::text[]) and snapshot is not null
          order by sequence limit ${pageSize}
        ) ahead
      ) measured where before < ${pageBytes}
    ) page on true order by page.sequence`.execute(db)
  const entries = rows.flatMap((row) => (row.sequence === null ? [] : [entryOf(row, row.sequence)]))
  const found = Number(rows[0]!.found ?? 0)
  const isCut = found === pageSize || entries.length < found
  const end = Number(rows[0]!.last)
  const upTo = isCut ? entries.at(-1)!.sequence : Math.max(after, Math.min(end, after + span))
  return { entries, upTo, isLast: upTo >= end }
}

const entryOf = (row: Row, sequence: string): Entry => ({
  sequence: Number(sequence),
  event: row.event,
  text: JSON.stringify(bodyOf(row)),
  match: row.match,
})
