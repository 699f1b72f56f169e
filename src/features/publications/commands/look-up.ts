import { sql } from 'kysely'
import type { Tx } from '../../../database/connect.ts'
import type { FieldError } from '../../../errors.ts'
import type { Actor } from '../../access/authenticate.ts'
import { type Named, resolveNames } from '../fields/names.ts'
import type { Applied, Sent } from './applied.ts'

/**
 * Looks up everything that a write names, all at once; what is not there is told by the path it was sent under. Tags
 * that are named by their body are made only when nothing else is wrong: a batch goes on behind a refused write.
 */
export const lookUp = async (tx: Tx, actor: Actor, applied: Applied): Promise<FieldError[]> => {
  const faults = await findMissing(tx, actor, applied)
  const tags = applied.names.filter(isTagByBody)
  if (tags.length === 0 || faults.length + applied.faults.length > 0) return faults
  return resolveNames(tx, actor, tags)
}

const isTagByBody = ({ body }: Named): boolean => body !== undefined

/** The same without making anything. */
export const findMissing = async (tx: Tx, actor: Actor, applied: Applied): Promise<FieldError[]> => {
  const { environment_id, organisation_id } = actor
  const names = applied.names.filter((name) => !isTagByBody(name))
  const faults = await Promise.all([
    names.length > 0 ? resolveNames(tx, actor, names) : [],
    missing(tx, applied.channels, 'is not a channel', sql`channels where environment_id = ${environment_id}`),
    missing(
      tx,
      applied.containers,
      'is not a container',
      sql`containers where environment_id = ${environment_id}`,
    ),
    missing(
      tx,
      applied.users,
      'is not a user of this organisation',
      sql`organisation_users where organisation_id = ${organisation_id}`,
    ),
  ])
  return faults.flat()
}

const missing = async (
  tx: Tx,
  sent: Sent[],
  message: string,
  place: ReturnType<typeof sql>,
): Promise<FieldError[]> => {
  if (sent.length === 0) return []
  const { rows } = await sql<{ id: string }>`select id from ${place}
    and id = any(${sent.map(({ id }) => id)}::text[])`.execute(tx)
  const found = new Set(rows.map(({ id }) => id))
  return sent.filter(({ id }) => !found.has(id)).map(({ path }) => ({ path, message }))
}
