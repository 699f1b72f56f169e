import { sql } from 'kysely'
import type { Db, Tx } from '../../database/connect.ts'
import type { FieldError } from '../../errors.ts'
import type { Actor } from '../access/authenticate.ts'
import { ensureTags } from '../tags/ensure.ts'

/** A tag by its id or, as any other text, by its body. */
export type TagInput = string | { id?: string; body?: string }

const isId = (text: string): boolean => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)

const read = (tag: TagInput): { id?: string; body?: string } => {
  if (typeof tag !== 'string') return tag
  return isId(tag) ? { id: tag } : { body: tag }
}

export const tagFaults = async (
  db: Db | Tx,
  { environment_id }: Actor,
  tags: TagInput[],
): Promise<FieldError[]> => {
  const all = tags.map(read)
  const ids = all.flatMap(({ id }) => id ?? [])
  const { rows } = await sql<{ id: string }>`select id from tags
    where environment_id = ${environment_id} and id = any(${ids}::text[])`.execute(db)
  const known = new Set(rows.map(({ id }) => id))
  return all.flatMap(({ id, body }, index) => {
    if (id === undefined && body === undefined)
      return [{ path: `tags.${index}`, message: 'needs an id or a body' }]
    return id === undefined || known.has(id)
      ? []
      : [{ path: `tags.${index}`, message: 'is not a tag of this environment' }]
  })
}

/** Replaces the tags of an asset; true where that changed anything. Those sent by body are made where there is none. */
export const setTags = async (tx: Tx, actor: Actor, assetId: string, tags: TagInput[]): Promise<boolean> => {
  const { environment_id } = actor
  const all = tags.map(read)
  const bodies = all.flatMap(({ id, body }) => (id === undefined ? body! : []))
  const made = bodies.length === 0 ? [] : await ensureTags(tx, actor, bodies)
  const ids = [...new Set([...all.flatMap(({ id }) => id ?? []), ...made.map(({ id }) => id)])]
  const those = sql`environment_id = ${environment_id} and asset_id = ${assetId}`
  const gone = await sql`delete from asset_tags where ${those} and tag_id <> all(${ids}::text[])
    returning 1`.execute(tx)
  const added = await sql`insert into asset_tags (environment_id, asset_id, tag_id)
    select ${environment_id}, ${assetId}, id from unnest(${ids}::text[]) as id
    on conflict do nothing returning 1`.execute(tx)
  return gone.rows.length + added.rows.length > 0
}
