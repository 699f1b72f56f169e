import type { Context } from '../../../context.ts'
import type { Tx } from '../../../database/connect.ts'
import { checkVersion, type Expected } from '../../../database/records.ts'
import type { Actor } from '../../access/authenticate.ts'
import { writePublication } from '../commands/write.ts'
import { lockPublication } from '../store/load.ts'
import { structureOf } from '../structure.ts'
import type { Publication, PublicationRow, StoredItems } from '../table.ts'
import { mend } from './mend.ts'
import { readVersion } from './queries.ts'

/** Writes a new version that says what an old one said. */
export const restoreVersion = async (
  context: Context,
  tx: Tx,
  actor: Actor,
  id: string,
  version: number,
  expected: Expected,
): Promise<PublicationRow> => {
  const stored = await lockPublication(tx, actor.environment_id, id)
  const structure = await structureOf(context, actor.environment_id)
  checkVersion('Publication', stored.row, expected)
  const past = await readVersion(tx, actor.environment_id, id, version)
  const after = continued(await mend(tx, actor, structure, past), stored.publication)
  return writePublication(tx, stored, after, { actor, structure, now: new Date(), event: 'restored' })
}

/** A past state as the next one of what is there now: equal values are the same objects, so that they do not count. */
const continued = (past: Publication, now: Publication): Publication => ({
  ...past,
  version: now.version,
  created_on: now.created_on,
  changed_on: now.changed_on,
  updated_by: now.updated_by,
  shared: kept(past.shared, now.shared),
  locales: Object.fromEntries(
    Object.entries(past.locales).map(([locale, state]) => {
      const { version = 0, published = false, items = {} } = now.locales[locale] ?? {}
      return [locale, { ...state, version, published, items: kept(state.items, items) }]
    }),
  ),
})

const kept = (past: StoredItems, now: StoredItems): StoredItems =>
  Object.fromEntries(
    Object.entries(past).map(([api_id, value]) => {
      const same = now[api_id]
      return [api_id, same && JSON.stringify(same) === JSON.stringify(value) ? same : value]
    }),
  )
