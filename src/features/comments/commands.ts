import { randomUUIDv7 } from 'node:crypto'
import { sql } from 'kysely'
import type { Tx } from '../../database/connect.ts'
import {
  checkVersion,
  deleteRecord,
  type Expected,
  insertRecord,
  updateRecord,
} from '../../database/records.ts'
import { invalid } from '../../errors.ts'
import { emit } from '../../events.ts'
import type { Actor } from '../access/authenticate.ts'
import { type Acting, actingBy } from '../access/sessions/acting.ts'
import { labelNumber } from '../interactions/labels.ts'
import { store } from '../interactions/store.ts'
import { eraseTold } from '../messages/told.ts'
import { findPersons } from '../persons/queries.ts'
import { personBySession } from '../persons/sessions.ts'
import type { Person } from '../persons/table.ts'
import { recordComment } from './describe.ts'
import { presentComment } from './present.ts'
import { findComment } from './sight.ts'
import type { CommentRow, CommentStatus } from './table.ts'

/** The person of a session, as it is and stays until the commit. */
const writerOf = async (tx: Tx, { environment_id }: Actor, secret: string): Promise<Person> => {
  const known = await personBySession(tx, environment_id, secret)
  const [person] = known ? await findPersons(tx, environment_id, 'key', [known.key], true) : []
  if (!person) throw invalid('session_hash', 'is not an open session of a person')
  return person
}

/** Whoever asks for a session comments under a publication, and is known to have. */
export const createComment = async (
  tx: Tx,
  actor: Actor,
  publicationId: string,
  { body, session_hash }: { body: string; session_hash: string },
): Promise<CommentRow> => {
  const person = await writerOf(tx, actor, session_hash)
  return addComment(tx, actor, { publication_id: publicationId, parent_id: null, body }, person)
}

/** A session tells which person, or which user, replies; without one it is the token's user, or nobody. */
export const createReply = async (
  tx: Tx,
  actor: Actor,
  id: string,
  body: string,
  secret: string | undefined,
): Promise<CommentRow> => {
  const parent = await findComment(tx, actor, id, sql`for key share`)
  const { user_id, person_key } = await actingBy(tx, actor, secret)
  const person = person_key === null ? null : await writerOf(tx, actor, secret!)
  const values = { publication_id: parent.publication_id, parent_id: id, body }
  return addComment(tx, { ...actor, user_id }, values, person)
}

type NewComment = Pick<CommentRow, 'publication_id' | 'parent_id' | 'body'>

/** A comment of a person, or of the house. */
export const addComment = async (
  tx: Tx,
  actor: Actor,
  values: NewComment,
  person: Person | null,
): Promise<CommentRow> => {
  const waits = person !== null && actor.environment.settings.comment_approval === true
  const row = await insertRecord(tx, 'comments', actor, {
    ...values,
    person_key: person?.key ?? null,
    status: waits ? 'pending' : 'approved',
  })
  if (person?.tracking) await keepInteraction(tx, actor, person.key, row)
  recordComment(tx, null, row)
  await emit(tx, actor, 'comment.created', row, presentComment(row))
  return row
}

const keepInteraction = (tx: Tx, actor: Actor, key: string, row: CommentRow): Promise<void> => {
  const item = {
    id: randomUUIDv7(),
    isGiven: false,
    createdOn: row.created_on,
    label: 'Commented' as const,
    number: labelNumber('Commented'),
    value: null,
    recommendationId: null,
    who: {},
  }
  const { publication_id: publicationId } = row
  return store(tx, [{ actor, publicationId, items: [item], pathOf: (_, name) => name, keys: [key] }])
}

const lockComment = async (tx: Tx, actor: Actor, id: string, expected: Expected): Promise<CommentRow> => {
  const row = await findComment(tx, actor, id, sql`for update`)
  checkVersion('Comment', row, expected)
  return row
}

/** Persons change and delete what they wrote themselves. */
const requireOwn = (row: CommentRow, { person_key }: Acting): void => {
  if (person_key !== null && person_key !== row.person_key)
    throw invalid('session_hash', 'is not a session of who wrote the comment')
}

/** Edited by a back-office user it is moderated, and stays so. */
export const changeComment = async (
  tx: Tx,
  actor: Actor,
  id: string,
  body: string,
  secret: string | undefined,
  expected: Expected,
): Promise<CommentRow> => {
  const before = await lockComment(tx, actor, id, expected)
  const acting = await actingBy(tx, actor, secret)
  requireOwn(before, acting)
  const isModerated = acting.user_id !== null && body !== before.body
  const values = { body, ...(isModerated && { moderated: true }) }
  const row = await updateRecord(tx, 'comments', { ...actor, ...acting }, before, values)
  recordComment(tx, before, row)
  if (row !== before) await emit(tx, actor, 'comment.changed', row, presentComment(row))
  return row
}

export const setStatus = async (
  tx: Tx,
  actor: Actor,
  id: string,
  status: CommentStatus,
  expected: Expected,
): Promise<CommentRow> => {
  const before = await lockComment(tx, actor, id, expected)
  const row = await updateRecord(tx, 'comments', actor, before, { status })
  recordComment(tx, before, row)
  if (row !== before) await emit(tx, actor, 'comment.changed', row, presentComment(row))
  return row
}

/** Replies to it move up to what it replied to. What was told of it goes: it may be why it is deleted. */
export const deleteComment = async (
  tx: Tx,
  actor: Actor,
  id: string,
  secret: string | undefined,
  expected: Expected,
): Promise<void> => {
  const row = await lockComment(tx, actor, id, expected)
  requireOwn(row, await actingBy(tx, actor, secret))
  await moveUp(tx, row)
  await deleteRecord(tx, 'comments', actor, row)
  await eraseTold(tx, actor.environment_id, [id])
  await emit(tx, actor, 'comment.deleted', row, { id, label: 'Comment' })
}

const moveUp = async (tx: Tx, { environment_id, id, parent_id }: CommentRow): Promise<void> => {
  await sql`update comments set parent_id = ${parent_id}
    where environment_id = ${environment_id} and parent_id = ${id}`.execute(tx)
}
