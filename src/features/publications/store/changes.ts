import type { Actor } from '../../access/authenticate.ts'
import { isChangedLocale, sameItems } from '../compare.ts'
import { linkedLocales } from '../facets.ts'
import { settleMain, settlePublished } from '../published.ts'
import type { Structure } from '../structure.ts'
import type { Publication, PublicationVersionTable } from '../table.ts'

/** What is needed to store a publication besides the publication itself. */
export type Saving = {
  actor: Actor
  structure: Structure
  now: Date
  event: PublicationVersionTable['event']
  bulkOperationId?: string | null
}

/** Locales whose row must be written again: their content, state or anything they are found by has changed. */
export const changedLocales = (after: Publication, before: Publication | null): string[] => {
  const all = [...new Set([...Object.keys(after.locales), ...Object.keys(before?.locales ?? {})])]
  if (!before || !sameRecord(after, before)) return all
  return all.filter((locale) => isChangedLocale(after, before, locale))
}

/** What every locale of a publication shows or is found by. */
const sameRecord = (one: Publication, other: Publication): boolean =>
  one.model_id === other.model_id &&
  one.label === other.label &&
  sameList(one.channel_ids, other.channel_ids) &&
  sameList(one.container_ids, other.container_ids) &&
  sameList(linkedLocales(one), linkedLocales(other)) &&
  sameItems(one.shared, other.shared)

const sameList = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((item, index) => item === other[index])

/** Whether there is anything to store at all. */
export const isSame = (after: Publication, before: Publication): boolean =>
  sameRecord(after, before) && changedLocales(after, before).length === 0

/** Raises the versions, of the record and of what of it changed, and settles what readers see. */
export const stamp = (
  after: Publication,
  before: Publication | null,
  { actor, structure, now }: Saving,
): void => {
  settleMain(after, actor.environment.default_locale)
  settlePublished(after, structure.findStatus({ body: 'Done' })!.id, now)
  // What comes back from the trash goes on where it ended.
  after.version = (before ?? after).version + 1
  if (after.version > 1) {
    after.changed_on = now
    after.updated_by = actor.user_id
  }
  const everywhere = before !== null && !sameItems(after.shared, before.shared)
  for (const [locale, state] of Object.entries(after.locales))
    if (!before || everywhere || isChangedLocale(after, before, locale)) state.version = after.version
}
