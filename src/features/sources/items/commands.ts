import { sql } from 'kysely'
import type { Context } from '../../../context.ts'
import type { Db, Tx } from '../../../database/connect.ts'
import { invalid } from '../../../errors.ts'
import type { UploadedFile } from '../../../storage/uploaded.ts'
import type { Actor } from '../../access/authenticate.ts'
import { takeFile } from '../../assets/intake.ts'
import type { ModelRow } from '../../models/table.ts'
import { createPublication } from '../../publications/commands/commands.ts'
import { loadStructure } from '../../publications/structure.ts'
import type { SourceItemRecord } from '../table.ts'
import { draftOf, hasTitle } from './draft.ts'
import { findItem } from './queries.ts'
import type { DraftBody } from './schema.ts'

/** The model that was asked for, or the first that has a title; undefined where there is none. */
export const modelFor = async (
  db: Db,
  { environment_id }: Actor,
  { model }: DraftBody,
): Promise<ModelRow | undefined> => {
  const { models } = await loadStructure(db, environment_id)
  if (!model) return firstOf([...models.values()].filter(hasTitle))
  const found = models.get(model.id)
  if (!found) throw invalid('model.id', 'is not a publication model of this environment')
  return found
}

const firstOf = (models: ModelRow[]): ModelRow | undefined =>
  models.toSorted((a, b) => a.created_on.getTime() - b.created_on.getTime() || (a.id < b.id ? -1 : 1))[0]

/** Whether what was made of an item is still there. */
export const isPublished = async (
  db: Db | Tx,
  { environment_id, publication_id }: SourceItemRecord,
): Promise<boolean> => {
  if (publication_id === null) return false
  const { rows } = await sql`select 1 from publications
    where environment_id = ${environment_id} and id = ${publication_id}`.execute(db)
  return rows.length > 0
}

type Making = { model: ModelRow | undefined; locale: string; picture: UploadedFile | undefined }

/** Makes a draft of an item, with its picture as an asset. An item has one: who asks again is given the same. */
export const publishItem = async (
  context: Context,
  tx: Tx,
  actor: Actor,
  id: string,
  { model, locale, picture }: Making,
): Promise<SourceItemRecord> => {
  const one = sql`environment_id = ${actor.environment_id} and id = ${id}`
  await sql`select 1 from source_items where ${one} for update`.execute(tx)
  const item = await findItem(tx, actor.environment_id, id)
  if (await isPublished(tx, item)) return item
  const asset =
    picture && (await takeFile(context, tx, actor, picture, { path: 'image_url', ...named(item) }))
  const body = draftOf(item, model, asset?.id ?? null, locale)
  const publication = await createPublication(context, tx, actor, body)
  await sql`update source_items set publication_id = ${publication.id}, asset_id = ${asset?.id ?? null},
    version = version + 1 where ${one}`.execute(tx)
  return findItem(tx, actor.environment_id, id)
}

const named = ({ title, author }: SourceItemRecord) => ({ label: 'Photo' as const, name: title, author })
