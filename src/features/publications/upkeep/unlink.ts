import { sql } from 'kysely'
import type { Context } from '../../../context.ts'
import type { Tx } from '../../../database/connect.ts'
import { serviceActor } from '../clock/settle.ts'
import { changePublication } from '../commands/commands.ts'
import { facet } from '../facets.ts'
import { structureOf } from '../structure.ts'
import type { PublicationRow } from '../table.ts'
import { upkeep } from './upkeep.ts'
import { withoutReference } from './without-reference.ts'

const batchSize = 100
/** So many are looked up at once: each look passes by the index entries of all that were unlinked before. */
const lookedUp = 50 * batchSize

type Unlink = { kind: 'channel' | 'container' | 'tag'; id: string; environment_id: string }

/**
 * Takes a channel, container or tag that was deleted out of all publications. What is unlinked is no longer found by
 * it, so whoever goes on after a stop finds just the rest.
 */
export const unlink = async (context: Context, gone: Unlink): Promise<void> => {
  for (;;) {
    const ids = await idsWith(context, gone)
    if (ids.length === 0) return
    for (let from = 0; from < ids.length; from += batchSize)
      await upkeep(context, gone.environment_id, (tx) =>
        unlinkSome(context, tx, gone, ids.slice(from, from + batchSize)),
      )
  }
}

const linkedTo = ({ kind, id, environment_id }: Unlink) =>
  sql`environment_id = ${environment_id} and facets @> array[${facet(environment_id, kind, id)}::bigint]`

const idsWith = async ({ db }: Context, gone: Unlink): Promise<string[]> => {
  const { rows } = await sql<{ id: string }>`select id from publications where ${linkedTo(gone)}
    limit ${lookedUp}`.execute(db)
  return rows.map(({ id }) => id).sort()
}

const unlinkSome = async (context: Context, tx: Tx, gone: Unlink, ids: string[]): Promise<void> => {
  const { rows } = await sql<PublicationRow>`select * from publications
    where ${linkedTo(gone)} and id = any(${ids}::text[]) order by id for update`.execute(tx)
  if (gone.kind === 'tag') {
    const structure = await structureOf(context, gone.environment_id)
    await withoutReference(tx, structure, rows, { label: 'TagBox', id: gone.id })
    return
  }
  const [placed, others] = [
    rows.filter((row) => isPlacedBy(row, gone)),
    rows.filter((row) => !isPlacedBy(row, gone)),
  ]
  await withoutLink(
    tx,
    gone,
    others.map(({ id }) => id),
  )
  const environment = (await context.tokens.environment(gone.environment_id))!
  for (const { id, channel_ids } of placed) {
    const channels = channel_ids.filter((other) => other !== gone.id).map((other) => ({ id: other }))
    await changePublication(context, tx, serviceActor(environment), id, { channels })
  }
}

const withoutLink = async (tx: Tx, gone: Unlink, ids: string[]): Promise<void> => {
  const column = sql.ref(`${gone.kind}_ids`)
  const facets = sql`array_remove(facets, ${facet(gone.environment_id, gone.kind, gone.id)}::bigint)`
  const those = sql`environment_id = ${gone.environment_id} and id = any(${ids}::text[])`
  await Promise.all([
    sql`update publications set ${column} = array_remove(${column}, ${gone.id}), facets = ${facets}
      where ${those}`.execute(tx),
    sql`update publication_locales set facets = ${facets} where ${those}`.execute(tx),
  ])
}

/** Records of version 5 have their slugs within their first channel; without it they may need others: a write. */
const isPlacedBy = ({ label, model_id, channel_ids }: PublicationRow, { kind, id }: Unlink): boolean =>
  kind === 'channel' && label !== 'Publication' && model_id === null && channel_ids[0] === id
