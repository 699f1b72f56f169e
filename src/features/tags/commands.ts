import type { Tx } from '../../database/connect.ts'
import { deleteRecord, type Expected, lockRecord, updateRecord } from '../../database/records.ts'
import { insertWithSlug } from '../../database/slugs.ts'
import { emit } from '../../events.ts'
import type { Actor } from '../access/authenticate.ts'
import { announceTagged } from '../persons/tagged.ts'
import { rebuildByTags } from '../segments/rebuild.ts'
import { presentTag } from './present.ts'
import type { TagBody, TagChanges } from './schema.ts'
import type { TagRow } from './table.ts'

export const createTag = async (tx: Tx, actor: Actor, { body, slug }: TagBody): Promise<TagRow> => {
  const row = await insertWithSlug(tx, 'tags', actor, { body }, slug, body)
  await emit(tx, actor, 'tag.created', row, presentTag(row))
  return row
}

export const changeTag = async (
  tx: Tx,
  actor: Actor,
  id: string,
  body: TagChanges,
  expected: Expected,
): Promise<TagRow> => {
  const before = await lockRecord(tx, 'tags', 'Tag', actor, id, expected)
  const row = await updateRecord(tx, 'tags', actor, before, body)
  if (row === before) return row
  await rebuildByTags(tx, actor.environment_id)
  await emit(tx, actor, 'tag.changed', row, presentTag(row))
  return row
}

/** What carried the tag goes on without it: the links fall with the row. */
export const deleteTag = async (tx: Tx, actor: Actor, id: string, expected: Expected): Promise<void> => {
  const row = await lockRecord(tx, 'tags', 'Tag', actor, id, expected)
  await announceTagged(tx, actor.environment_id, id)
  await deleteRecord(tx, 'tags', actor, row)
  await emit(tx, actor, 'tag.deleted', row, presentTag(row))
}
