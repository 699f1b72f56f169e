import { sql } from 'kysely'
import type { Tx } from '../../../database/connect.ts'
import type { FieldError } from '../../../errors.ts'
import type { Actor } from '../../access/authenticate.ts'
import { isThere } from '../../assets/queries.ts'
import { ensureTags } from '../../tags/ensure.ts'

export const referenceKinds = ['Publication', 'Asset', 'Person', 'Tag'] as const
export type ReferenceKind = (typeof referenceKinds)[number]

/** Something a value names that must exist: by id, or a tag by body. */
export type Named = {
  path: string
  /** What it may be; more than one where nothing but the id tells. */
  kinds: ReferenceKind[]
  id?: string
  body?: string
  /** Ids of the models that a publication must be of one of. */
  models?: string[]
  /** Completes the value; gives a message where it cannot be this. */
  settle(found: { kind: ReferenceKind; id: string }): string | undefined
}

const tables = { Publication: 'publications', Asset: 'assets', Person: 'persons', Tag: 'tags' } as const

type Found = Record<ReferenceKind, ReadonlyMap<string, string | null>>

/**
 * Looks up all that values name, with one query per kind, makes tags that are named by body, and completes the
 * values. What does not exist in the environment is a fault.
 */
export const resolveNames = async (tx: Tx, actor: Actor, names: Named[]): Promise<FieldError[]> => {
  const byId = names.filter(({ body }) => body === undefined)
  const found = await findAll(tx, actor, byId)
  const faults = byId.flatMap((name) => settleId(name, found))
  // A write that is refused makes no tags.
  return faults.length > 0 ? faults : settleTags(tx, actor, names)
}

const findAll = async (tx: Tx, actor: Actor, names: Named[]): Promise<Found> => {
  const found = {} as Record<ReferenceKind, Map<string, string | null>>
  for (const kind of referenceKinds) {
    const ids = new Set(names.filter(({ kinds }) => kinds.includes(kind)).map(({ id }) => id!))
    found[kind] = ids.size === 0 ? new Map() : await find(tx, actor, kind, [...ids])
  }
  return found
}

/** Ids that exist; for publications with their model. */
const find = async (
  tx: Tx,
  { environment_id }: Actor,
  kind: ReferenceKind,
  ids: string[],
): Promise<Map<string, string | null>> => {
  const model = sql.raw(kind === 'Publication' ? 'model_id' : 'null::text')
  const only = kind === 'Asset' ? isThere : sql`true`
  const { rows } = await sql<{ id: string; model_id: string | null }>`
    select id, ${model} as model_id from ${sql.table(tables[kind])}
    where environment_id = ${environment_id} and id = any(${ids}::text[])
      and ${only}`.execute(tx)
  return new Map(rows.map((row) => [row.id, row.model_id]))
}

const settleId = ({ path, kinds, id, models, settle }: Named, found: Found): FieldError[] => {
  const matching = kinds.filter((kind) => found[kind].has(id!))
  const kind = matching[0]
  if (!kind) return [{ path, message: `is not the id of a ${kinds.join(', ')} of this environment` }]
  if (matching.length > 1)
    return [{ path, message: `is ambiguous: it is the id of a ${matching.join(' and of a ')}; send a label` }]
  if (models && kind === 'Publication' && !models.includes(found.Publication.get(id!) ?? ''))
    return [{ path, message: `is not of one of the models ${models.join(', ')}` }]
  const message = settle({ kind, id: id! })
  return message === undefined ? [] : [{ path, message }]
}

const settleTags = async (tx: Tx, actor: Actor, names: Named[]): Promise<FieldError[]> => {
  const byBody = names.filter(({ body }) => body !== undefined)
  if (byBody.length === 0) return []
  const tags = await ensureTags(
    tx,
    actor,
    byBody.map(({ body }) => body!),
  )
  return byBody.flatMap(({ path, settle }, index) => {
    const message = settle({ kind: 'Tag', id: tags[index]!.id })
    return message === undefined ? [] : [{ path, message }]
  })
}
