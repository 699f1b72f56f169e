import { setImmediate } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import type { Context } from '../../../context.ts'
import type { Tx } from '../../../database/connect.ts'
import { Failure, Unavailable } from '../../../errors.ts'
import { emitMany } from '../../../events.ts'
import type { Actor } from '../../access/authenticate.ts'
import { faultsOf } from '../../imports/faults.ts'
import { noteNames, seenNames } from '../../imports/seen.ts'
import type { FileRow, ImportRow, Outcome } from '../../imports/table.ts'
import { blankPerson } from '../apply.ts'
import { applyAll, hashOf } from '../commands.ts'
import type { PersonInput } from '../input.ts'
import { ownRules } from '../look-up.ts'
import { personSnapshot } from '../present.ts'
import { readPerson } from '../read.ts'
import { type Saving, savePersons } from '../save.ts'
import { signOutPerson } from '../sessions.ts'
import { judgeOnly } from './dry-run.ts'
import {
  allNames,
  findKnown,
  type Known,
  type MatchBy,
  type Names,
  named,
  namesOf,
  targetOf,
  withOtherEmails,
} from './match.ts'

/** One import in one transaction. */
export type Work = { context: Context; tx: Tx; actor: Actor; order: ImportRow; outcome: Outcome }

/** A row whose turn it is. */
export type Wanted = { number: number; input: PersonInput; names: Names; hash: string | null | undefined }

/** So many rows are worked out before requests of this process have their turn. */
const turn = 25

/** What is wrong with one row does not touch the others. */
export const applyRows = async (
  context: Context,
  tx: Tx,
  actor: Actor,
  order: ImportRow,
  rows: FileRow[],
): Promise<Outcome> => {
  const failed = rows.flatMap(({ number, faults }) => (faults ? [{ number, faults }] : []))
  const work: Work = { context, tx, actor, order, outcome: { created: 0, updated: 0, failed } }
  const wanted = await Promise.all(rows.filter(({ body }) => body).map((row) => want(row, order)))
  for (let done = 0; done < wanted.length; ) done += await applyGroup(work, distinct(wanted.slice(done)))
  return work.outcome
}

const want = async ({ number, body }: FileRow, { match_by, dry_run }: ImportRow): Promise<Wanted> => {
  const input = readPerson(body!)
  const hash = dry_run ? undefined : await hashOf(input)
  return { number, input, names: namesOf(input, match_by as MatchBy | null), hash }
}

/** The first rows, up to one that names somebody whom another of them names, too: it has to see what that one did. */
const distinct = (wanted: Wanted[]): Wanted[] => {
  const taken = new Set<string>()
  const end = wanted.findIndex(({ names }) => {
    const all = allNames(names)
    const isTaken = all.some((name) => taken.has(name))
    for (const name of all) taken.add(name)
    return isTaken
  })
  return end < 0 ? wanted : wanted.slice(0, end)
}

/** Gives how many rows it has dealt with: one that names a person whom another has changed waits. */
const applyGroup = async (work: Work, group: Wanted[]): Promise<number> => {
  const { context, tx, order, actor } = work
  const known = await findKnown(
    tx,
    order.environment_id,
    group.map(({ names }) => names),
  )
  const seen = order.dry_run
    ? await seenNames(
        tx,
        context.keys,
        order,
        group.flatMap(({ names }) => allNames(names)),
      )
    : undefined
  const savings: Saving[] = []
  const made: string[] = []
  const meant = new Set<string>()
  let done = 0
  for (const wanted of group) {
    const step = await attempt(work, wanted, known, meant, (person) =>
      seen ? judgeOnly(work, wanted, person, seen, made) : apply(work, wanted, person, savings),
    )
    if (step === 'waits') break
    done += 1
    if (done % turn === 0) await setImmediate()
  }
  await noteNames(tx, context.keys, order, made)
  await save(tx, actor, savings)
  return done
}

type Person = NonNullable<Saving['before']>

const attempt = async (
  { order, outcome }: Work,
  { number, names }: Wanted,
  known: Known,
  meant: Set<string>,
  perform: (person: Person | null) => Promise<'created' | 'updated'>,
): Promise<'done' | 'waits'> => {
  try {
    if (named(names, known).some(({ key }) => meant.has(key))) return 'waits'
    const person = targetOf(names, known, order.match_by as MatchBy | null)
    if (person) meant.add(person.key)
    outcome[await perform(person)] += 1
  } catch (error) {
    if (!(error instanceof Failure) || error instanceof Unavailable) throw error
    outcome.failed.push({ number, faults: faultsOf(error) })
  }
  return 'done'
}

const apply = async (
  { context, tx, actor, order }: Work,
  { input: sent, hash }: Wanted,
  person: Person | null,
  savings: Saving[],
): Promise<'created' | 'updated'> => {
  const input = order.match_by === 'email' ? withOtherEmails(sent, person) : sent
  const before = person ?? blankPerson(actor, input.id)
  const after = await applyAll(tx, context.keys, actor, before, input, hash, ownRules)
  // Whoever knew the old password is not to stay.
  if (person && hash !== undefined) await signOutPerson(tx, actor.environment_id, person.key)
  if (!person || !isDeepStrictEqual(before, after)) savings.push({ before: person, after })
  return person ? 'updated' : 'created'
}

const save = async (tx: Tx, actor: Actor, savings: Saving[]): Promise<void> => {
  if (savings.length === 0) return
  const saved = await savePersons(tx, actor, savings)
  const snapshots = (isNew: boolean) =>
    saved.filter((_, index) => (savings[index]!.before === null) === isNew).map(personSnapshot)
  await emitMany(tx, actor, 'person.created', snapshots(true))
  await emitMany(tx, actor, 'person.changed', snapshots(false))
}
