import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Context } from '../../../context.ts'
import type { Tx } from '../../../database/connect.ts'
import type { Expected } from '../../../database/records.ts'
import { emit } from '../../../events.ts'
import type { Actor } from '../../access/authenticate.ts'
import { refreshMembership } from '../../segments/membership.ts'
import { blankPerson } from '../apply.ts'
import { recordPerson } from '../list/describe.ts'
import { forgetMergedReferences, forgetMerges } from '../merge-memory.ts'
import { goneSnapshot } from '../present.ts'
import { lockPerson } from '../queries.ts'
import { announce, savePerson } from '../save.ts'
import type { Person } from '../table.ts'
import { idHash, referenceHash } from '../tombstones.ts'
import { eraseBeside } from './beside.ts'
import { holdForErasure } from './hold.ts'
import { type Erased, type ReceiptKind, writeReceipt } from './receipts.ts'
import { eraseTraces } from './traces.ts'
import { eraseWords, joined } from './words.ts'

type Erasing = Pick<Context, 'keys' | 'mail'>

const holdPerson = async (
  tx: Tx,
  { environment_id }: Actor,
  id: string,
  expected: Expected,
): Promise<Person> => {
  await holdForErasure(tx, environment_id, [id])
  return lockPerson(tx, environment_id, id, expected)
}

/** Leaves somebody under a new id who did what the person did, and of whom nothing else is known. */
export const anonymizePerson = async (
  tx: Tx,
  context: Erasing,
  actor: Actor,
  id: string,
  expected?: Expected,
): Promise<Person> => {
  const before = await holdPerson(tx, actor, id, expected)
  const words = await eraseWords(tx, actor, before, 'stay')
  const counts = joined(await eraseBeside(tx, context, before), words)
  const stamps = { version: 1, changed_on: monthOf(new Date()), updated_by: null }
  const person = await savePerson(tx, actor, before, anonymous(actor, before), stamps)
  await blurBeside(tx, before)
  await forgetMergedReferences(tx, before)
  await renewLater(tx, actor, before)
  await tellErased(tx, actor, before, 'anonymized', counts, words.ids)
  return person
}

/**
 * What groups persons without describing one stays: the months in which it came and was last seen, tags, and the wish
 * not to be tracked. The id tells no time, or the event of the same moment would lead to it.
 */
const anonymous = (actor: Actor, { key, created_on, last_seen, tracking, tags }: Person): Person => ({
  ...blankPerson(actor, randomUUID()),
  ...{ key, tracking, tags, created_by: null },
  created_on: monthOf(created_on),
  last_seen: last_seen && monthOf(last_seen),
})

const monthOf = (time: Date): Date => new Date(Date.UTC(time.getUTCFullYear(), time.getUTCMonth()))

/** Nobody is told which segments the new id comes into and leaves: it would be told right behind the old one. */
const blurBeside = async (tx: Tx, { environment_id, key }: Person): Promise<void> => {
  const own = sql`environment_id = ${environment_id} and person_key = ${key}`
  const blur = (column: string) => sql`${sql.ref(column)} = date_trunc('month', ${sql.ref(column)}, 'UTC')`
  await sql`update person_facts set ${blur('last_seen')} where ${own}`.execute(tx)
  await refreshMembership(tx, environment_id, [key], true)
  await sql`update segment_members set ${blur('since')} where ${own}`.execute(tx)
}

/** Removes the person with all that it did. Many interactions go little by little, but none can be reached any more. */
export const deletePerson = async (
  tx: Tx,
  context: Erasing,
  actor: Actor,
  id: string,
  expected?: Expected,
): Promise<void> => {
  const before = await holdPerson(tx, actor, id, expected)
  const words = await eraseWords(tx, actor, before, 'go')
  const { erased, kept } = joined(await eraseBeside(tx, context, before), words)
  await forgetMerges(tx, before)
  await removeRow(tx, before)
  await tellErased(tx, actor, before, 'deleted', { erased: { ...kept, ...erased }, kept: {} }, words.ids)
}

/** Removes the person and keeps what it did, on a stone that knows the person again but not who it was. */
export const buryPerson = async (
  tx: Tx,
  context: Erasing,
  actor: Actor,
  id: string,
  expected?: Expected,
): Promise<void> => {
  const before = await holdPerson(tx, actor, id, expected)
  const words = await eraseWords(tx, actor, before, 'go')
  const { erased, kept } = joined(await eraseBeside(tx, context, before), words)
  const { environment_id, key, reference_id } = before
  const reference = reference_id === null ? null : referenceHash(context.keys, environment_id, reference_id)
  await sql`insert into person_tombstones (environment_id, person_key, id_hash, reference_hash)
    values (${environment_id}, ${key}, ${idHash(context.keys, environment_id, id)}, ${reference})`.execute(tx)
  await removeRow(tx, before)
  await renewLater(tx, actor, before)
  const { links, ...stays } = kept
  const counts = { erased: { links: links!, ...erased }, kept: stays }
  await tellErased(tx, actor, before, 'tombstone', counts, words.ids)
}

/** Everything that hangs on the row goes with it; the delta brings those who look for interactions of nobody. */
export const removeRow = async (tx: Tx, person: Person): Promise<void> => {
  const { environment_id, key } = person
  await sql`delete from persons where environment_id = ${environment_id} and key = ${key}`.execute(tx)
  recordPerson(tx, environment_id, person, null)
  await announce(tx, environment_id, [person])
}

/**
 * Ends an erasure: what was told of the person goes, a receipt is left, and the event names who is no more, so that
 * whoever was told of it can forget it too.
 */
export const tellErased = async (
  tx: Tx,
  actor: Actor,
  before: Person,
  kind: ReceiptKind,
  { erased, kept }: Erased,
  /** Messages and comments of which nothing is to be told any more. */
  words: string[],
): Promise<void> => {
  const told = await eraseTraces(tx, before, words)
  await writeReceipt(tx, actor, kind, { erased: { ...erased, ...told }, kept })
  const event = kind === 'anonymized' ? 'person.anonymized' : 'person.deleted'
  await emit(tx, actor, event, before, goneSnapshot(before))
}

/** Names that callers gave to interactions may say who had them. Again a while later, for those that were on their way. */
const renewLater = async (
  tx: Tx,
  { organisation_id, environment_id }: Actor,
  { key }: Person,
): Promise<void> => {
  const payload = JSON.stringify({ organisation_id, environment_id, key })
  await sql`select graphile_worker.add_job('persons:rename-interactions', ${payload}::json,
      run_at => now() + make_interval(mins => minutes))
    from unnest(array[0, 10]) as minutes`.execute(tx)
}
