import { sql } from 'kysely'
import type { Context } from '../../../context.ts'
import { transaction } from '../../../database/transaction.ts'
import { keepLooking, type Looking } from '../../../jobs/looking.ts'
import { fetchWaiting } from './covers.ts'
import { artistKind, type MusicKind, trackKind } from './kinds.ts'
import { loadMusic, saveMusic } from './store.ts'

const lookEvery = 1000
const step = 200

/** What is past its `unpublish_on` becomes unpublished by itself, and covers are fetched, on whichever node comes first. */
export const startMusicClock = (context: Context, onError: (error: unknown) => void): Looking =>
  keepLooking(async (isStopped) => {
    for (const kind of [artistKind, trackKind])
      for (const { environment_id, organisation_id } of await ended(context, kind))
        if (!isStopped()) await settle(context, kind, environment_id, organisation_id)
    while (!isStopped() && (await fetchWaiting(context)));
    return lookEvery
  }, onError)

type Place = { environment_id: string; organisation_id: string }

/** Where there is something to do; mostly nowhere, which an index of what will end tells at once. */
const ended = async ({ db }: Context, { table }: MusicKind): Promise<Place[]> => {
  const { rows } = await sql<Place>`select id as environment_id, organisation_id from environments
    where id in (select environment_id from ${sql.table(table)}
      where status = 'published' and unpublish_on <= now() limit ${step})`.execute(db)
  return rows
}

const settle = (context: Context, kind: MusicKind, environment_id: string, organisation_id: string) =>
  transaction(context, async (tx) => {
    const due = sql`row.id in (select id from ${sql.table(kind.table)}
      where environment_id = ${environment_id} and status = 'published' and unpublish_on <= now()
      order by id limit ${step} for update skip locked)`
    const found = await loadMusic(tx, kind, environment_id, due)
    const by = { organisation_id, environment_id, token_id: null, user_id: null }
    const savings = found.map((before) => ({ before, after: { ...before, status: 'unpublished' as const } }))
    await saveMusic(tx, by, kind, savings)
  })
