import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../../database/connect.ts'
import { conflict } from '../../../errors.ts'
import type { Actor } from '../../access/authenticate.ts'
import { itemsOf } from '../compare.ts'
import { referencesOf } from '../fields/collect.ts'
import { loadReferences, type References } from '../fields/present.ts'
import { textOf } from '../fields/text.ts'
import { fieldTypes } from '../fields/types.ts'
import { canBeLinked } from '../linked.ts'
import type { Structure } from '../structure.ts'
import type { Publication, StoredItems, StoredValue } from '../table.ts'

/** Takes out of a past state whatever it names that is gone since. Without its model it cannot be. */
export const mend = async (
  tx: Tx,
  actor: Actor,
  structure: Structure,
  past: Publication,
): Promise<Publication> => {
  const model = past.model_id === null ? null : structure.models.get(past.model_id)
  if (model === undefined) throw conflict('model', `the publication model ${past.model_id} was deleted`)
  const [references, found] = await Promise.all([
    loadReferences(tx, { environment_id: actor.environment_id }, allReferences(past)),
    findNamed(tx, actor, past),
  ])
  const mended: Publication = {
    ...past,
    channel_ids: past.channel_ids.filter((id) => found.channels.has(id)),
    container_ids: past.container_ids.filter((id) => found.containers.has(id)),
    shared: withoutMissing(past.shared, references),
    locales: {},
  }
  for (const [locale, state] of Object.entries(past.locales)) {
    const items = withoutMissing(state.items, references)
    const all = itemsOf(mended, { ...state, items })
    const linked = state.linked && canBeLinked(mended, all)
    mended.locales[locale] = {
      ...state,
      items,
      linked,
      title: linked ? textOf(model, all).title : null,
      status_id: structure.statuses.has(state.status_id)
        ? state.status_id
        : structure.findStatus({ body: 'To do' })!.id,
      assigned_to: found.users.has(state.assigned_to ?? '') ? state.assigned_to : null,
    }
  }
  return mended
}

const allReferences = ({ shared, locales }: Publication) =>
  [shared, ...Object.values(locales).map(({ items }) => items)].flatMap(referencesOf)

const findNamed = async (tx: Tx, { environment_id, organisation_id }: Actor, past: Publication) => {
  const users = Object.values(past.locales).flatMap(({ assigned_to }) => assigned_to ?? [])
  const [channels, containers, people] = await Promise.all([
    existing(tx, sql`channels where environment_id = ${environment_id}`, past.channel_ids),
    existing(tx, sql`containers where environment_id = ${environment_id}`, past.container_ids),
    existing(tx, sql`organisation_users where organisation_id = ${organisation_id}`, users),
  ])
  return { channels, containers, users: people }
}

const existing = async (tx: Tx, place: RawBuilder<unknown>, ids: string[]): Promise<Set<string>> => {
  if (ids.length === 0) return new Set()
  const { rows } = await sql<{ id: string }>`select id from ${place} and id = any(${ids}::text[])`.execute(tx)
  return new Set(rows.map(({ id }) => id))
}

const withoutMissing = (items: StoredItems, references: References): StoredItems =>
  Object.fromEntries(Object.entries(items).map(([api_id, value]) => [api_id, mendValue(value, references)]))

const mendValue = (value: StoredValue, references: References): StoredValue => {
  const { kind } = fieldTypes[value.label]
  if (value.label === 'ElementBox')
    return { ...value, items: (value.items as StoredValue[]).map((item) => mendValue(item, references)) }
  if (!kind) return value
  return { ...value, items: (value.items as { id: string }[]).filter(({ id }) => references[kind].has(id)) }
}
