import { type RawBuilder, sql } from 'kysely'
import type { Context } from '../../../context.ts'
import type { Tx } from '../../../database/connect.ts'
import { recordChange, transaction } from '../../../database/transaction.ts'
import { emit } from '../../../events.ts'
import type { Actor } from '../../access/authenticate.ts'
import type { EnvironmentRow } from '../../access/table.ts'
import { movesOf } from '../commands/write.ts'
import { loadReferences } from '../fields/present.ts'
import { storeMatch } from '../match.ts'
import { describePublication, referencesIn } from '../present/describe.ts'
import { settlePublished } from '../published.ts'
import type { Snapshot } from '../snapshot.ts'
import { facetsOf, rowOf } from '../store/derive.ts'
import { type Stored, snapshotOf } from '../store/load.ts'
import { loadMany } from '../store/load-many.ts'
import { type Structure, structureOf } from '../structure.ts'
import type { Publication, PublicationRow } from '../table.ts'

/** The service itself: nobody's token, and nothing that is hidden from it. */
export const serviceActor = (environment: EnvironmentRow): Actor => ({
  organisation_id: environment.organisation_id,
  environment_id: environment.id,
  token_id: null,
  user_id: null,
  person_key: null,
  environment,
  token: undefined as never,
})

/**
 * Settles up to `limit` publications whose moment has come, the earliest first; gives how many there were. A row that
 * somebody has locked is being written, which settles it too, or is with another node. The moment is PostgreSQL's:
 * nodes whose clocks differ agree on it.
 */
export const settleDue = (
  context: Context,
  limit: number,
  which: RawBuilder<unknown> = sql`true`,
): Promise<number> =>
  transaction(context, async (tx) => {
    const { rows } = await sql<PublicationRow & { at: Date }>`
      select publications.*, date_trunc('milliseconds', now()) as at from publications
      where next_change <= now() and ${which}
      order by next_change limit ${limit} for update skip locked`.execute(tx)
    const due = await loadMany(tx, rows)
    const byEnvironment = Map.groupBy(due, ({ row }) => row.environment_id)
    for (const [id, stored] of byEnvironment) await settleAll(context, tx, id, stored, rows[0]!.at)
    return rows.length
  })

type Settled = {
  stored: Stored
  after: Publication
  row: PublicationRow
  facets: Record<string, string[]>
  snapshot: Snapshot
}

const settleAll = async (
  context: Context,
  tx: Tx,
  environmentId: string,
  due: Stored[],
  now: Date,
): Promise<void> => {
  const actor = serviceActor((await context.tokens.environment(environmentId))!)
  const structure = await structureOf(context, environmentId)
  const settled = due.map((stored) => settle(stored, actor, structure, now))
  await store(tx, settled)
  for (const { stored, snapshot } of settled) {
    const seen = snapshotOf(stored.publication, stored.row.facets, stored.facets, stored.words)
    recordChange(tx, environmentId, 'content', seen, snapshot)
  }
  await tell(tx, actor, structure, settled)
}

const settle = (stored: Stored, actor: Actor, structure: Structure, now: Date): Settled => {
  const { publication } = stored
  const states = Object.entries(publication.locales).map(([locale, state]) => [locale, { ...state }])
  const after: Publication = { ...publication, locales: Object.fromEntries(states) }
  settlePublished(after, structure.findStatus({ body: 'Done' })!.id, now)
  const facets = facetsOf(actor.environment_id, after, structure)
  const row = rowOf(after, facets.all, { actor, structure, now })
  const snapshot = snapshotOf(after, row.facets, facets.each, stored.words)
  return { stored, after, row, facets: facets.each, snapshot }
}

/** Neither a version nor `changed_on`: nobody wrote anything. */
const store = async (tx: Tx, settled: Settled[]): Promise<void> => {
  const rows = settled.map(({ row }) => row)
  const locales = settled.flatMap(({ stored, after, row, facets }) => {
    const moved = row.locales.filter((locale) => hasMoved(after, stored.publication, locale))
    return moved.map((locale) => ({
      id: after.id,
      locale,
      facets: list(facets[locale]!),
    }))
  })
  const environmentId = rows[0]!.environment_id
  await Promise.all([
    sql`update publications as row set state = settled.state::jsonb, facets = settled.facets::bigint[],
        next_change = settled.next_change
      from unnest(${rows.map(({ id }) => id)}::text[], ${rows.map(({ state }) => JSON.stringify(state))}::text[],
        ${rows.map(({ facets }) => list(facets))}::text[],
        ${rows.map(({ next_change }) => next_change)}::timestamptz[]) as settled (id, state, facets, next_change)
      where row.environment_id = ${environmentId} and row.id = settled.id`.execute(tx),
    sql`update publication_locales as local set facets = settled.facets::bigint[]
      from unnest(${locales.map(({ id }) => id)}::text[], ${locales.map(({ locale }) => locale)}::text[],
        ${locales.map(({ facets }) => facets)}::text[]) as settled (id, locale, facets)
      where local.environment_id = ${environmentId} and local.id = settled.id
        and local.locale = settled.locale`.execute(tx),
  ])
}

const hasMoved = (after: Publication, before: Publication, locale: string): boolean => {
  const [now, then] = [after.locales[locale]!, before.locales[locale]!]
  return now.published !== then.published || now.expired !== then.expired
}

/** A list inside of a list, as PostgreSQL reads it from text. */
const list = (facets: readonly string[]): string => `{${facets.join()}}`

/** As a write tells it. Whoever began and ended unseen is not spoken of. */
const tell = async (tx: Tx, actor: Actor, structure: Structure, settled: Settled[]): Promise<void> => {
  const references = await loadReferences(
    tx,
    actor,
    settled.flatMap(({ after }) => referencesIn(after)),
  )
  for (const { stored, after, row, snapshot } of settled) {
    const { published, unpublished } = movesOf(after, stored.publication)
    if (published.length + unpublished.length === 0) continue
    const body = describePublication(row, after, structure, references)
    const match = storeMatch(snapshot, structure)
    if (published.length > 0) await emit(tx, actor, 'publication.published', row, body, match)
    if (unpublished.length > 0) await emit(tx, actor, 'publication.unpublished', row, body, match)
  }
}
