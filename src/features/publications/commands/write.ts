import type { Tx } from '../../../database/connect.ts'
import { afterCommit, recordChange } from '../../../database/transaction.ts'
import { Invalid } from '../../../errors.ts'
import { emit } from '../../../events.ts'
import { sameItems } from '../compare.ts'
import { linkedLocales } from '../facets.ts'
import { loadReferences, type References } from '../fields/present.ts'
import { learnWords } from '../list/learn.ts'
import { type StoredMatch, storeMatch } from '../match.ts'
import { describePublication, referencesIn } from '../present/describe.ts'
import { changedLocales, isSame, type Saving, stamp } from '../store/changes.ts'
import { facetsOf, rowOf } from '../store/derive.ts'
import { type Stored, snapshotOf } from '../store/load.ts'
import { storePublication } from '../store/save.ts'
import { settleSlugs } from '../store/slugs.ts'
import { findWords, textsIn } from '../store/words.ts'
import type { Publication, PublicationRow } from '../table.ts'
import type { Applied } from './applied.ts'
import { settleValues } from './apply-items.ts'
import { lookUp } from './look-up.ts'
import { keepUnseen } from './unseen.ts'

/** Checks what a write names and stores what it makes of the publication; a write of nothing stores nothing. */
export const writeApplied = async (
  tx: Tx,
  before: Stored | null,
  applied: Applied,
  saving: Saving,
): Promise<PublicationRow> => {
  const faults = [...applied.faults, ...(await lookUp(tx, saving.actor, applied))]
  if (faults.length > 0) throw new Invalid(faults)
  await keepUnseen(tx, saving.actor, applied)
  settleValues(applied)
  return writePublication(tx, before, applied.after, saving, applied.slugs)
}

/** Stores a publication as it shall be, with its version and its events, in one transaction. */
export const writePublication = async (
  tx: Tx,
  stored: Stored | null,
  after: Publication,
  saving: Saving,
  slugs: Record<string, string> = {},
): Promise<PublicationRow> => {
  const before = stored?.publication ?? null
  const { environment_id } = saving.actor
  const model = after.model_id === null ? null : (saving.structure.models.get(after.model_id) ?? null)
  const linked = changedLocales(after, before).filter((locale) => after.locales[locale]?.linked)
  const texts = textsIn(
    model,
    after,
    linked.filter((locale) => isReworded(after, before, locale)),
  )
  // All that is asked goes together, and before anything is stored: what is asked afterwards would wait for it.
  const [found, references] = await Promise.all([
    findWords(tx, texts),
    loadReferences(tx, { environment_id }, referencesIn(after)),
    settleSlugs(tx, environment_id, after, slugs, before),
  ])
  if (stored && isSame(after, stored.publication)) return stored.row
  stamp(after, before, saving)
  const facets = facetsOf(environment_id, after, saving.structure)
  const row = rowOf(after, facets.all, saving)
  const words = { ...stored?.words, ...found }
  await storePublication(tx, row, after, before, facets.each, words, saving)
  const seen = stored && snapshotOf(stored.publication, stored.row.facets, stored.facets, stored.words)
  const snapshot = snapshotOf(after, row.facets, facets.each, words)
  recordChange(tx, environment_id, 'content', seen, snapshot)
  await tell(tx, row, after, before, saving, references, storeMatch(snapshot, saving.structure))
  afterCommit(tx, (context) =>
    learnWords(
      context,
      environment_id,
      texts.map(({ text }) => text),
    ),
  )
  return row
}

/** Whether a locale may say something else than it did; its words are stored already if not. */
const isReworded = (after: Publication, before: Publication | null, locale: string): boolean =>
  !before?.locales[locale]?.linked ||
  after.model_id !== before.model_id ||
  !sameItems(after.shared, before.shared) ||
  !sameItems(after.locales[locale]!.items, before.locales[locale]!.items)

/** What happened, with the publication as a reader who may see everything would read it. */
const tell = async (
  tx: Tx,
  row: PublicationRow,
  after: Publication,
  before: Publication | null,
  { actor, structure, event }: Saving,
  references: References,
  match: StoredMatch,
): Promise<void> => {
  const body = describePublication(row, after, structure, references)
  const name = event === 'created' || event === 'restored' ? 'publication.created' : 'publication.changed'
  await emit(tx, actor, before ? 'publication.changed' : name, row, body, match)
  const { published, unpublished } = movesOf(after, before)
  if (published.length > 0) await emit(tx, actor, 'publication.published', row, body, match)
  if (unpublished.length > 0) await emit(tx, actor, 'publication.unpublished', row, body, match)
}

/** Locales that readers begin or cease to see. */
export const movesOf = (after: Publication | null, before: Publication | null) => {
  const seen = (publication: Publication | null) =>
    publication ? linkedLocales(publication).filter((locale) => publication.locales[locale]!.published) : []
  const [now, then] = [seen(after), seen(before)]
  return {
    published: now.filter((locale) => !then.includes(locale)),
    unpublished: then.filter((locale) => !now.includes(locale)),
  }
}
