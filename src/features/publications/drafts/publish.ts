import type { Context } from '../../../context.ts'
import type { Tx } from '../../../database/connect.ts'
import { conflict } from '../../../errors.ts'
import type { Actor } from '../../access/authenticate.ts'
import { applyChanges } from '../commands/apply.ts'
import { writeApplied } from '../commands/write.ts'
import { lockPublication } from '../store/load.ts'
import { structureOf } from '../structure.ts'
import type { PublicationRow } from '../table.ts'
import { asBody } from './body.ts'
import { withDraft } from './changes.ts'
import { requireSeen, type Seen } from './seen.ts'
import { type DraftRow, draftVersion, isOpen, loadDraft, storeDraft } from './store.ts'

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
  if (chosen.length === 0) throw conflict('draft', 'there is nothing to publish', 'NoDraft')
  requireSeen(seen, stored.publication, rows, namesOf(chosen))
  const after = withDraft(stored.publication, chosen, structure)
  const now = new Date()
  const writing = { environment, structure, isForm: false, now }
  const applied = applyChanges(stored.publication, asBody(after, chosen, environment.default_locale), writing)
  await storeDraft(tx, actor, id, draftVersion(rows) + 1, emptied(chosen))
  const saving = { actor, structure, now, event: 'changed' as const }
  return writeApplied(tx, stored, { ...applied, after, placed: [] }, saving)
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
