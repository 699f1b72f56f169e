import { PreconditionFailed } from '../../../errors.ts'
import type { Publication } from '../table.ts'
import type { DraftRow } from './store.ts'

/** What an editor had read: the version of the publication, and that of its draft. */
export type Seen = { version: number; draft: number }

/**
 * Refuses to change something that was changed after the editor read it, by another draft or for all readers. Names
 * that nobody else touched are no clash.
 */
export const requireSeen = (
  seen: Seen | undefined,
  publication: Publication,
  rows: DraftRow[],
  names: Record<string, string[]>,
): void => {
  if (!seen) return
  for (const [locale, changed] of Object.entries(names)) {
    if (changed.length === 0) continue
    const version = locale === '' ? publication.version : (publication.locales[locale]?.version ?? 0)
    const entries = rows.find((row) => row.locale === locale)?.changes ?? {}
    const newer = changed.filter((name) => (entries[name]?.version ?? 0) > seen.draft)
    if (newer.length > 0 || version > seen.version)
      throw new PreconditionFailed(`Publication ${publication.id} was changed: ${newer.join()}`)
  }
}
