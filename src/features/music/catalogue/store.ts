import { isDeepStrictEqual } from 'node:util'
import { type RawBuilder, sql } from 'kysely'
import type { Db, Tx } from '../../../database/connect.ts'
import { emitMany, type Performer } from '../../../events.ts'
import { isrcsOf, type Music, type MusicKind } from './kinds.ts'
import { presentMusic } from './present.ts'

export type Saving = { before: Music | null; after: Music }

/** Whole records, in the order of their ids; locked where they are to be written. */
export const loadMusic = async (
  db: Db | Tx,
  kind: MusicKind,
  environmentId: string,
  where: RawBuilder<unknown>,
  lock = false,
): Promise<Music[]> => {
  const artists =
    kind.table === 'tracks'
      ? sql`array(select artist_id from artist_tracks link where link.environment_id = row.environment_id
          and link.track_id = row.id order by place, artist_id)`
      : sql`'{}'::text[]`
  const { rows } = await sql<Music>`select row.*, ${artists} as artists,
      array(select tag_id from ${sql.table(kind.tags)} link where link.environment_id = row.environment_id
        and link.${sql.ref(kind.key)} = row.id order by tag_id collate "C") as tags
    from ${sql.table(kind.table)} as row where row.environment_id = ${environmentId} and ${where}
    order by row.id ${sql.raw(lock ? 'for update of row' : '')}`.execute(db)
  return rows
}

/** Writes new and changed records with all they are found by, and tells of them; what did not change is left alone. */
export const saveMusic = async (
  tx: Tx,
  actor: Performer & { environment_id: string },
  kind: MusicKind,
  savings: readonly Saving[],
): Promise<Music[]> => {
  const now = new Date()
  const saved = savings.map(({ before, after }) => {
    if (!before) return { before, after }
    if (isDeepStrictEqual(before, after)) return { before, after: before }
    return {
      before,
      after: { ...after, version: before.version + 1, changed_on: now, updated_by: actor.user_id },
    }
  })
  const made = saved.filter(({ before }) => !before).map(({ after }) => after)
  const changed = saved.filter(({ before, after }) => before && before !== after)
  await insertRows(tx, kind, made)
  await updateRows(
    tx,
    kind,
    changed.map(({ after }) => after),
  )
  await saveLinks(tx, actor.environment_id, kind, [...saved.filter(({ before }) => !before), ...changed])
  await emitMany(tx, actor, `${kind.event}.created`, made.map(presentMusic(kind)))
  await emitMany(
    tx,
    actor,
    `${kind.event}.changed`,
    changed.map(({ after }) => presentMusic(kind)(after)),
  )
  return saved.map(({ after }) => after)
}

const sent = (kind: MusicKind, rows: Music[]) => {
  const own = rows.map((row) =>
    Object.fromEntries(kind.columns.map((name) => [name, row[name as keyof Music]])),
  )
  return sql`jsonb_populate_recordset(null::${sql.table(kind.table)}, ${JSON.stringify(own)}::text::jsonb)`
}

const insertRows = async (tx: Tx, kind: MusicKind, rows: Music[]): Promise<void> => {
  if (rows.length === 0) return
  const columns = sql.join(kind.columns.map((name) => sql.ref(name)))
  await sql`insert into ${sql.table(kind.table)} (${columns}) select ${columns} from ${sent(kind, rows)}`.execute(
    tx,
  )
}

const updateRows = async (tx: Tx, kind: MusicKind, rows: Music[]): Promise<void> => {
  if (rows.length === 0) return
  const set = kind.columns.map((name) => sql`${sql.ref(name)} = sent.${sql.ref(name)}`)
  await sql`update ${sql.table(kind.table)} as row set ${sql.join(set)} from ${sent(kind, rows)} as sent
    where row.environment_id = sent.environment_id and row.id = sent.id`.execute(tx)
}

type Pair = { owner: string; value: string; place: number }

const saveLinks = async (
  tx: Tx,
  environmentId: string,
  kind: MusicKind,
  savings: Saving[],
): Promise<void> => {
  const replace = async (
    table: string,
    column: string,
    valuesOf: (music: Music) => string[],
    placed = false,
  ) => {
    const differing = savings.filter(
      ({ before, after }) => !isDeepStrictEqual(before ? valuesOf(before) : [], valuesOf(after)),
    )
    if (differing.length === 0) return
    await sql`delete from ${sql.table(table)} where environment_id = ${environmentId}
      and ${sql.ref(kind.key)} = any(${differing.filter(({ before }) => before).map(({ after }) => after.id)})`.execute(
      tx,
    )
    const pairs = differing.flatMap(({ after }) =>
      valuesOf(after).map((value, place): Pair => ({ owner: after.id, value, place })),
    )
    await sql`insert into ${sql.table(table)}
        (environment_id, ${sql.ref(kind.key)}, ${sql.ref(column)}${sql.raw(placed ? ', place' : '')})
      select ${environmentId}, owner, value${sql.raw(placed ? ', place' : '')}
      from jsonb_to_recordset(${JSON.stringify(pairs)}::text::jsonb) as sent (owner text, value text, place integer)
      order by value, owner`.execute(tx)
  }
  await replace(kind.tags, 'tag_id', ({ tags }) => tags)
  if (kind.table !== 'tracks') return
  await replace('artist_tracks', 'artist_id', ({ artists }) => artists, true)
  await replace('track_isrcs', 'isrc', isrcsOf)
}
