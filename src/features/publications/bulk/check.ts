import { randomUUIDv7 } from 'node:crypto'
import type { Tx } from '../../../database/connect.ts'
import type { FieldError } from '../../../errors.ts'
import type { Actor } from '../../access/authenticate.ts'
import type { Input, Writing } from '../commands/applied.ts'
import { applyChanges } from '../commands/apply.ts'
import { findMissing } from '../commands/look-up.ts'
import type { Publication } from '../table.ts'

/**
 * What is wrong with changes whichever publication they are made to. Items are judged by every model among those that
 * match: what fits one of them is accepted, and publications of the others fail when their turn comes.
 */
export const checkChanges = async (
  tx: Tx,
  actor: Actor,
  changes: Input,
  models: (string | null)[],
  writing: Writing,
): Promise<FieldError[]> => {
  if (Object.keys(changes).length === 0) return [{ path: '', message: 'holds nothing to change' }]
  // Without a publication nobody can say what its items must be like.
  if (models.length === 0) return faultsBy(tx, actor, null, { ...changes, items: undefined }, writing)
  const found: FieldError[][] = []
  for (const model of models) found.push(await faultsBy(tx, actor, model, changes, writing))
  const [first = [], ...others] = found
  return first.filter(({ path }) => others.every((faults) => faults.some((fault) => fault.path === path)))
}

const faultsBy = async (
  tx: Tx,
  actor: Actor,
  model: string | null,
  { status, ...rest }: Input,
  writing: Writing,
): Promise<FieldError[]> => {
  const before = blank(actor, model, writing.now)
  // Apart from the rest, because what Done requires may stand in the publication.
  const { faults } = applyChanges(before, status === undefined ? {} : { status }, writing)
  const applied = applyChanges(before, rest, writing)
  // A tag that is named by its body will be there when it is needed.
  const missing = await findMissing(tx, actor, applied)
  const all = [...applied.faults, ...faults, ...missing]
  return [...new Map(all.map((fault) => [`${fault.path} ${fault.message}`, fault])).values()]
}

const blank = ({ user_id }: Actor, model_id: string | null, now: Date): Publication => ({
  id: randomUUIDv7(),
  label: 'Publication',
  model_id,
  channel_ids: [],
  container_ids: [],
  shared: {},
  locales: {},
  version: 1,
  created_on: now,
  changed_on: null,
  created_by: user_id,
  updated_by: null,
})
