import { AsyncLocalStorage } from 'node:async_hooks'
import type { Context } from '../context.ts'
import { type Change, type Described, maxChanges } from './changes.ts'
import type { Tx } from './connect.ts'
import { askForId } from './driver.ts'
import { translate } from './errors.ts'
import type { Family } from './versions.ts'

type Touched = { environment: string; family: Family; records: Set<string>; changes: Change[] }

type Work = {
  origin: string
  touched: Map<string, Touched>
  outdatesTokens: boolean
  afterwards: ((context: Keeping) => void)[]
  id?: string
}

const works = new WeakMap<Tx, Work>()

const touchedBy = (tx: Tx, environment: string, family: Family): Touched | undefined => {
  const work = works.get(tx)
  const name = `${environment} ${family}`
  if (work && !work.touched.has(name))
    work.touched.set(name, { environment, family, records: new Set(), changes: [] })
  return work?.touched.get(name)
}

/** Notes that a transaction changes a record of a family, so that its commit can raise the data version. */
export const touch = (tx: Tx, environment: string, family: Family, record: string): void => {
  touchedBy(tx, environment, family)?.records.add(record)
}

/**
 * Tells what a transaction makes of one record, as matchers see it, so that remembered totals can go on. It must be
 * the whole of what the transaction does to what matchers see of this record. A record that is touched, by any event
 * about it, and not recorded makes the totals of its family be counted anew: to forget this is slow, never wrong.
 */
export const recordChange = <R extends Described>(
  tx: Tx,
  environment: string,
  family: Family,
  before: R | null,
  after: R | null,
): void => {
  const changes = touchedBy(tx, environment, family)?.changes
  // One more than a log could hold says that there were too many.
  if (changes && changes.length <= maxChanges) changes.push({ before, after })
}

/** Notes that a transaction changes or ends something that tokens rest on. */
export const outdateTokens = (tx: Tx): void => {
  const work = works.get(tx)
  if (work) work.outdatesTokens = true
}

/** Work that nobody waits for, begun once the transaction is known to have happened. It must not throw. */
export const afterCommit = (tx: Tx, work: (context: Keeping) => void): void => {
  works.get(tx)?.afterwards.push(work)
}

/** Who writes, as the nodes call it; nobody where no node keeps track of the transaction. */
export const originOf = (tx: Tx): string | null => works.get(tx)?.origin ?? null

type Keeping = Pick<Context, 'db' | 'log' | 'versions' | 'heard' | 'totals' | 'wake' | 'tokens'>

/** The newest transaction of a request that changed something, for who answers it. */
export type Written = { id?: string }
export const written = new AsyncLocalStorage<Written>()

/**
 * Runs `work` in one transaction; after the commit its data versions move and the dispatcher is woken. What was
 * remembered of tokens and environments goes with the events that outdate it, so that no command can forget it.
 */
export const transaction = async <T>(context: Keeping, work: (tx: Tx) => Promise<T>): Promise<T> => {
  const done: Work = {
    origin: context.versions.origin(),
    touched: new Map(),
    outdatesTokens: false,
    afterwards: [],
  }
  let committing = false
  try {
    const result = await context.db.transaction().execute(async (tx) => {
      works.set(tx, done)
      const result = await work(tx)
      if (done.touched.size > 0) await askForId(tx, (id) => Object.assign(done, { id }))
      committing = true
      return result
    })
    settle(context, done)
    for (const work of done.afterwards) work(context)
    return result
  } catch (error) {
    // A commit whose answer was lost may still happen, now or later. What PostgreSQL refused never will.
    if (committing && (error as { severity?: string }).severity !== 'ERROR') {
      context.versions.rename()
      settle(context, { ...done, id: undefined })
    }
    throw translate(error)
  }
}

const settle = (context: Keeping, { touched, outdatesTokens, id }: Work): void => {
  const { versions, heard, totals, wake, tokens } = context
  for (const { environment, family, records, changes } of touched.values()) {
    const isTold = id !== undefined && isWhole(records, changes)
    if (isTold) totals.add(environment, family, id, changes)
    versions.bump(environment, family, isTold)
  }
  if (id !== undefined) {
    heard.wrote(id)
    const request = written.getStore()
    if (request) request.id = id
  }
  if (outdatesTokens) tokens.forget()
  if (touched.size > 0) wake()
}

const isWhole = (records: Set<string>, changes: Change[]): boolean => {
  const recorded = new Set(changes.flatMap(({ before, after }) => [before?.id, after?.id]))
  return changes.length <= maxChanges && [...records].every((record) => recorded.has(record))
}
