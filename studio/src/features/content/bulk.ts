import { api } from '../../api/client.ts'
import { refresh } from '../../api/queries.ts'

/** What is meant: the rows that were chosen, or everything that the list's filter finds. */
export type Target = { ids: string[] } | { filter: Record<string, string> }

/** One operation per locale for a status, so that only publications that have the locale are touched. */
export type Change =
  /** `others` are all statuses but the new one: what has it already is not counted and not touched. */
  { kind: 'status'; status: string; locale: string; others: string[] } | { kind: 'delete' }

type Query = Record<string, string>

const queryOf = (target: Target, change: Change): Query => {
  const base: Query = 'ids' in target ? { 'id[in]': target.ids.join() } : { ...target.filter }
  if (change.kind === 'delete') return Object.keys(base).length === 0 ? { all: 'true' } : base
  return { ...indexed(base), 'status[9][in]': change.others.join(), locale: change.locale }
}

/** The list's own filter by status stays beside ours. */
const indexed = (query: Query): Query =>
  Object.fromEntries(
    Object.entries(query).map(([name, value]) => [name.replace(/^status\[(?=[a-z])/, 'status[0]['), value]),
  )

const send = async <T>(target: Target, change: Change, more: Query): Promise<T> => {
  const query = { ...queryOf(target, change), ...more }
  if (change.kind === 'delete') return (await api.post('/publications/bulk/delete', { query } as never)) as T
  const body = { status: { [change.locale]: { body: change.status } } }
  return (await api.put('/publications/bulk/put', { query, body } as never)) as T
}

export type Planned = { change: Change; matched: number; plan: string }

/** What would be changed, without changing it. */
export const planChanges = (target: Target, changes: Change[]): Promise<Planned[]> =>
  Promise.all(
    changes.map(async (change) => {
      const { matched, plan } = await send<{ matched: number; plan: string }>(target, change, {
        dry_run: 'true',
      })
      return { change, matched, plan }
    }),
  )

type Operation = { id: string; status: string; matched: number; processed: number; failed: number }

/** Does exactly what was shown: a set that has changed since is refused. */
export const runPlanned = async (
  target: Target,
  planned: Planned[],
  tell: (done: number) => void,
): Promise<{ ids: string[]; processed: number; failed: number }> => {
  const found = { ids: [] as string[], processed: 0, failed: 0 }
  for (const { change, matched, plan } of planned) {
    if (matched === 0) continue
    const begun = await send<Operation>(target, change, { plan })
    found.ids.push(begun.id)
    const ended = await follow(begun.id, (done) => tell(found.processed + done))
    found.processed += ended.processed - ended.failed
    found.failed += ended.failed
  }
  refresh('publications')
  return found
}

const follow = async (id: string, tell: (done: number) => void): Promise<Operation> => {
  for (let wait = 100; ; wait = Math.min(wait * 1.5, 1000)) {
    const operation = (await api.get('/bulk_operations/{id}', { path: { id } })) as Operation
    tell(operation.processed)
    if (operation.status !== 'pending' && operation.status !== 'running') return operation
    await new Promise((resolve) => setTimeout(resolve, wait))
  }
}

/** The last one first. */
export const undoOperations = async (ids: string[]): Promise<void> => {
  for (const id of ids.toReversed()) {
    const { id: undo } = (await api.post('/bulk_operations/{id}/undo', { path: { id } })) as Operation
    await follow(undo, () => {})
  }
  refresh('publications')
}
