import { setImmediate } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Context } from '../../../context.ts'
import type { Tx } from '../../../database/connect.ts'
import type { FieldError } from '../../../errors.ts'
import type { Actor } from '../../access/authenticate.ts'
import { faultsOf } from '../../imports/faults.ts'
import { noteNames, seenNames } from '../../imports/seen.ts'
import type { FileRow, ImportRow, Outcome } from '../../imports/table.ts'
import { applyBody, blankMusic, coverUrl, wholeFaults } from '../catalogue/input.ts'
import type { Music, MusicKind } from '../catalogue/kinds.ts'
import { bodyFaults, type Known as Links, linkAll, lookUp } from '../catalogue/look-up.ts'
import { type Saving, saveMusic } from '../catalogue/store.ts'
import { allNames, findKnown, type Known, type Names, namesOf, type RowBody, targetOf } from './match.ts'

type Wanted = { number: number; body: RowBody; cover: string | undefined; names: Names }
type Work = { context: Context; tx: Tx; actor: Actor; order: ImportRow; kind: MusicKind; outcome: Outcome }
/** A row that nothing is wrong with, and what it is about. */
type Ready = { wanted: Wanted; target: Music | null }

/** Rows of artists or tracks. What is wrong with one row does not touch the others. */
export const applyMusic =
  (kind: MusicKind) =>
  async (context: Context, tx: Tx, actor: Actor, order: ImportRow, rows: FileRow[]): Promise<Outcome> => {
    const failed = rows.flatMap(({ number, faults }) => (faults ? [{ number, faults }] : []))
    const work: Work = { context, tx, actor, order, kind, outcome: { created: 0, updated: 0, failed } }
    const wanted = rows.flatMap(({ number, body }) => (body ? [want(number, body, order)] : []))
    for (let done = 0; done < wanted.length; ) {
      done += await applyGroup(work, distinct(wanted.slice(done)))
      await setImmediate()
    }
    return work.outcome
  }

/** A cover that has to be fetched is left for later. */
const want = (number: number, sent: RowBody, { match_by }: ImportRow): Wanted => {
  const cover = coverUrl(sent.cover)
  const { cover: _cover, ...rest } = sent
  return { number, body: cover ? rest : sent, cover, names: namesOf(sent, match_by) }
}

/** The first rows, up to one that goes by a name that another of them goes by: it has to see what that one did. */
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

/** Gives how many rows it has dealt with: one about a record that another of them changes waits. */
const applyGroup = async (work: Work, group: Wanted[]): Promise<number> => {
  const { tx, actor, kind, order } = work
  const known = await findKnown(
    tx,
    kind,
    actor.environment_id,
    group.map(({ names }) => names),
  )
  const links = await lookUp(
    tx,
    actor,
    group.map(({ body }) => body),
  )
  const ready: Ready[] = []
  const meant = new Set<Music>()
  let done = 0
  for (const wanted of group) {
    if (allNames(wanted.names).some((name) => known.get(name)?.some((music) => meant.has(music)))) break
    const one = judge(work, wanted, known, links)
    if (one) ready.push(one)
    if (one?.target) meant.add(one.target)
    done += 1
  }
  await (order.dry_run ? countOnly(work, ready) : save(work, ready, links))
  return done
}

const judge = (
  { kind, actor, order, outcome }: Work,
  wanted: Wanted,
  known: Known,
  links: Links,
): Ready | undefined => {
  const { number, body, names } = wanted
  try {
    const target = targetOf(kind, names, known, order.match_by)
    const faults = [
      ...rowFaults(kind, actor, target, body),
      ...bodyFaults(body, links, target?.cover_id ?? null),
    ]
    const [reference] = names.reference_unique
    const holder = known.get(`reference_unique ${reference}`)?.[0]
    if (holder && holder !== target) faults.push({ path: 'reference_unique', message: 'is already taken' })
    if (faults.length === 0) return { wanted, target }
    outcome.failed.push({ number, faults })
  } catch (error) {
    outcome.failed.push({ number, faults: faultsOf(error) })
  }
  return undefined
}

const rowFaults = (kind: MusicKind, actor: Actor, target: Music | null, body: RowBody): FieldError[] => {
  const draft = applyBody(
    kind,
    target ?? blankMusic(actor, new Date()),
    { ...body, cover: undefined },
    {},
    new Date(),
  )
  return [
    ...wholeFaults(draft),
    ...(draft.body === '' ? [{ path: 'body', message: 'is needed, because there is none yet' }] : []),
  ]
}

/** Names of what earlier rows would have made are remembered, so that later ones count as changes of it. */
const countOnly = async ({ context, tx, order, outcome }: Work, ready: Ready[]): Promise<void> => {
  const all = ready.flatMap(({ wanted }) => allNames(wanted.names))
  const seen = await seenNames(tx, context.keys, order, all)
  const made: string[] = []
  for (const { wanted, target } of ready) {
    const names = allNames(wanted.names)
    const isThere = target !== null || names.some((name) => seen.has(name))
    outcome[isThere ? 'updated' : 'created'] += 1
    if (!isThere) made.push(...names)
  }
  await noteNames(tx, context.keys, order, made)
}

const save = async ({ tx, actor, kind, outcome }: Work, ready: Ready[], links: Links): Promise<void> => {
  const now = new Date()
  const linked = await linkAll(
    tx,
    actor,
    ready.map(({ wanted }) => wanted.body),
    links,
  )
  const savings = ready.map(({ wanted: { body }, target }, index): Saving => {
    const before = target ?? blankMusic(actor, now)
    return { before: target, after: applyBody(kind, before, ownReference(body, target), linked[index]!, now) }
  })
  const saved = await saveMusic(tx, actor, kind, savings)
  for (const { target } of ready) outcome[target ? 'updated' : 'created'] += 1
  await leaveCovers(
    tx,
    actor,
    kind,
    ready.flatMap(({ wanted: { cover } }, index) => (cover ? [{ id: saved[index]!.id, url: cover }] : [])),
  )
}

/** Found by the reference of something that was merged into it, a record keeps its own. */
const ownReference = (body: RowBody, target: Music | null): RowBody =>
  target?.reference_unique && body.reference_unique ? { ...body, reference_unique: undefined } : body

const leaveCovers = async (
  tx: Tx,
  { environment_id }: Actor,
  kind: MusicKind,
  covers: { id: string; url: string }[],
): Promise<void> => {
  if (covers.length === 0) return
  await sql`insert into waiting_covers (environment_id, kind, record_id, url)
    select ${environment_id}, ${kind.table}, id, url
    from jsonb_to_recordset(${JSON.stringify(covers)}::text::jsonb) as sent (id text, url text)
    on conflict (environment_id, kind, record_id) do update set url = excluded.url, attempts = 0, next_on = now()`.execute(
    tx,
  )
}
