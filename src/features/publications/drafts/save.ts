import type { Context } from '../../../context.ts'
import type { Tx } from '../../../database/connect.ts'
import { Invalid } from '../../../errors.ts'
import type { Actor } from '../../access/authenticate.ts'
import type { Input } from '../commands/applied.ts'
import { applyChanges } from '../commands/apply.ts'
import { settleValues } from '../commands/apply-items.ts'
import type { Arrived } from '../commands/commands.ts'
import { lookUp } from '../commands/look-up.ts'
import { lockPublication } from '../store/load.ts'
import { structureOf } from '../structure.ts'
import type { Publication } from '../table.ts'
import { isEqual, valuesOf, withDraft } from './changes.ts'
import { requireSeen, type Seen } from './seen.ts'
import { type DraftRow, draftVersion, type Entries, isOpen, loadDraft, storeDraft } from './store.ts'

/** A publication as its draft has it, and the version of the draft. */
export type Draft = { publication: Publication; version: number }

/**
 * Takes a body into the draft, name by name. The publication's lock makes editors take turns, so that each adds to
 * what the others have saved; publishing takes its turn among them.
 */
export const saveDraft = async (
  context: Context,
  tx: Tx,
  actor: Actor,
  id: string,
  body: Input,
  { isForm, faults }: Arrived,
  seen: Seen | undefined,
): Promise<Draft> => {
  const { environment_id, environment } = actor
  const structure = await structureOf(context, environment_id)
  const { publication } = await lockPublication(tx, environment_id, id)
  const rows = await loadDraft(tx, environment_id, id)
  const before = withDraft(publication, rows, structure)
  const writing = { environment, structure, isForm, now: new Date(), isDraft: true }
  const applied = applyChanges(before, body, writing)
  const wrong = [...faults, ...applied.faults, ...(await lookUp(tx, actor, applied))]
  if (wrong.length > 0) throw new Invalid(wrong)
  settleValues(applied)
  const next = draftVersion(rows) + 1
  const changes = rowsOf(rows, valuesOf(publication, applied.after, structure), next)
  requireSeen(seen, publication, rows, namesIn(changes, rows, next))
  await storeDraft(tx, actor, id, next, changes)
  return { publication: applied.after, version: Object.keys(changes).length > 0 ? next : next - 1 }
}

/** The rows that change, each whole. What stays as it was keeps its version. */
const rowsOf = (
  rows: DraftRow[],
  wanted: Record<string, Record<string, unknown>>,
  version: number,
): Record<string, Entries> => {
  const changed = Object.entries(wanted).map(([locale, values]): [string, Entries] => {
    const before = rows.find((row) => row.locale === locale)?.changes ?? {}
    const entries = Object.entries(values).map(([name, value]) => {
      const same = before[name] && isEqual(before[name].value, value)
      return [name, same ? before[name]! : { value, version }]
    })
    return [locale, Object.fromEntries(entries)]
  })
  const had = new Map(rows.map(({ locale, changes }) => [locale, changes]))
  return Object.fromEntries(
    changed.filter(([locale, entries]) => {
      const before = had.get(locale) ?? {}
      return isOpen({ changes: { ...before, ...entries } }) && !isSameEntries(before, entries)
    }),
  )
}

const isSameEntries = (before: Entries, entries: Entries): boolean =>
  Object.keys(before).length === Object.keys(entries).length &&
  Object.entries(entries).every(([name, entry]) => before[name] === entry)

/** What a save changes in each row, what it takes back among it. */
const namesIn = (
  changes: Record<string, Entries>,
  rows: DraftRow[],
  version: number,
): Record<string, string[]> =>
  Object.fromEntries(
    Object.entries(changes).map(([locale, entries]) => {
      const before = rows.find((row) => row.locale === locale)?.changes ?? {}
      const set = Object.keys(entries).filter((name) => entries[name]!.version === version)
      return [locale, [...set, ...Object.keys(before).filter((name) => !entries[name])]]
    }),
  )
