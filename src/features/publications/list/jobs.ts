import { sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import type { Context } from '../../../context.ts'
import { textOf } from '../fields/text.ts'
import { loadStructure, type Structure } from '../structure.ts'
import type { StoredItems } from '../table.ts'
import { addWords, learnable } from './learn.ts'

/** Few enough that other requests hardly wait for their turn. */
const batchSize = 50

type Row = { id: string; locale: string; model_id: string | null; shared: StoredItems; items: StoredItems }

/** Learns the words of every environment anew: those that were lost come back, and those that are gone disappear. */
export const relearnWords = async ({ db }: Context): Promise<void> => {
  const { rows } = await sql<{ id: string }>`select id from environments`.execute(db)
  for (const { id } of rows) await relearn(db, id)
}

const relearn = async (db: Context['db'], environmentId: string): Promise<void> => {
  const structure = await loadStructure(db, environmentId)
  const known = new LRUCache<string, true>({ max: 100_000 })
  let at = { id: '', locale: '' }
  for (;;) {
    const rows = await nextRows(db, environmentId, at)
    if (rows.length === 0) break
    at = rows.at(-1)!
    const words = rows.flatMap((row) => wordsIn(structure, row)).filter((word) => !known.has(word))
    for (const word of words) known.set(word, true)
    await addWords(db, environmentId, words)
  }
  // A day is left to those that were learned while this ran, or that a process takes for known.
  await sql`delete from vocabulary where environment_id = ${environmentId} and seen_on < current_date - 1`.execute(
    db,
  )
}

const nextRows = async (
  db: Context['db'],
  environmentId: string,
  { id, locale }: { id: string; locale: string },
): Promise<Row[]> => {
  const { rows } = await sql<Row>`
    select local.id, local.locale, row.model_id, row.items as shared, local.items from publication_locales as local
    join publications as row on row.environment_id = local.environment_id and row.id = local.id
    where local.environment_id = ${environmentId} and (local.id, local.locale) > (${id}, ${locale})
    order by local.id, local.locale limit ${batchSize}`.execute(db)
  return rows
}

const wordsIn = ({ models }: Structure, { model_id, shared, items }: Row): string[] => {
  const model = model_id === null ? null : (models.get(model_id) ?? null)
  return learnable(textOf(model, { ...shared, ...items }).text)
}
