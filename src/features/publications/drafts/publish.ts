import type { Context } from '../../../context.ts'
import type { Tx } from '../../../database/connect.ts'
import { conflict } from '../../../errors.ts'
import type { Actor } from '../../access/authenticate.ts'
import type { ModelRow } from '../../models/table.ts'
import { applyChanges } from '../commands/apply.ts'
import { writeApplied } from '../commands/write.ts'
import { lockPublication } from '../store/load.ts'
import { structureOf } from '../structure.ts'
import type { PublicationRow } from '../table.ts'
import { asBody } from './body.ts'
import { ofItems, withDraft } from './changes.ts'
import { requireSeen, type Seen } from './seen.ts'
import { type DraftRow, draftVersion, type Entries, isOpen, loadDraft, storeDraft } from './store.ts'

/**
 * Applies a draft, or that of some locales, as one version. It is judged like a write of the same body, because models
 * and what it refers to may have changed; what is stored are the values of the draft, which keep their ids.
 */
export const publishDraft = async (
  context: Context,
  tx: Tx,
  actor: Actor,
  id: string,
  locales: string[] | undefined,
  seen: Seen | undefined,
): Promise<PublicationRow> => {
  const { environment_id, environment } = actor
  const stored = await lockPublication(tx, environment_id, id)
  const structure = await structureOf(context, environment_id)
  const rows = await loadDraft(tx, environment_id, id)
  const chosen = rows.filter((row) => isOpen(row) && (!locales || locales.includes(row.locale)))
  const wanted = withDraft(stored.publication, chosen, structure)
  const { ready, waiting } = partedBy(structure.models.get(wanted.model_id ?? ''), chosen)
  if (ready.length === 0) throw conflict('draft', 'there is nothing to publish', 'NoDraft')
  requireSeen(seen, stored.publication, rows, namesOf(ready))
  const after = withDraft(stored.publication, ready, structure)
  const now = new Date()
  const writing = { environment, structure, isForm: false, now }
  const applied = applyChanges(stored.publication, asBody(after, ready, environment.default_locale), writing)
  await storeDraft(tx, actor, id, draftVersion(rows) + 1, { ...emptied(ready), ...waiting })
  const saving = { actor, structure, now, event: 'changed' as const }
  return writeApplied(tx, stored, { ...applied, after, placed: [] }, saving)
}

/** Values of fields that the model no longer has wait in the draft until it has them again. */
const partedBy = (model: ModelRow | undefined, rows: DraftRow[]) => {
  const waits = (name: string): boolean =>
    model !== undefined &&
    name.startsWith(ofItems) &&
    !model.fields.some(({ api_id }) => api_id === name.slice(ofItems.length))
  const part = (changes: Entries, isWaiting: boolean): Entries =>
    Object.fromEntries(Object.entries(changes).filter(([name]) => waits(name) === isWaiting))
  return {
    ready: rows.map((row) => ({ ...row, changes: part(row.changes, false) })).filter(isOpen),
    waiting: Object.fromEntries(rows.map(({ locale, changes }) => [locale, part(changes, true)])),
  }
}

/** Takes a draft back, or that of one locale. */
export const discardDraft = async (
  tx: Tx,
  actor: Actor,
  id: string,
  locale: string | undefined,
  seen: Seen | undefined,
): Promise<void> => {
  const { publication } = await lockPublication(tx, actor.environment_id, id)
  const rows = await loadDraft(tx, actor.environment_id, id)
  const chosen = rows.filter((row) => isOpen(row) && (locale === undefined || row.locale === locale))
  requireSeen(seen, publication, rows, namesOf(chosen))
  await storeDraft(tx, actor, id, draftVersion(rows) + 1, emptied(chosen))
}

const namesOf = (rows: DraftRow[]): Record<string, string[]> =>
  Object.fromEntries(rows.map(({ locale, changes }) => [locale, Object.keys(changes)]))

const emptied = (rows: DraftRow[]) => Object.fromEntries(rows.map(({ locale }) => [locale, {}]))
