import type { Context } from '../../context.ts'
import type { FieldError } from '../../errors.ts'
import type { Actor } from '../access/authenticate.ts'
import { followedBy } from './labels.ts'
import { findSource } from './queries.ts'
import type { SourceBody, SourceChanges } from './schema.ts'
import type { SourceRow } from './table.ts'
import { readTarget } from './target.ts'

type Sent = Partial<SourceBody & SourceChanges>

/** What is wrong with the fields together, whatever the form of each. */
export const sourceFaults = (sent: Sent, before?: SourceRow): FieldError[] => {
  const label = before?.label ?? sent.label
  if (!label) return []
  const faults: FieldError[] = []
  const fault = (path: string, message: string) => faults.push({ path, message })
  if (label !== 'Ftp')
    for (const name of ['username', 'password'] as const) if (sent[name]) fault(name, 'is only for Ftp')
  for (const name of ['username', 'password'] as const)
    if (sent[name] && /\p{Cc}/u.test(sent[name])) fault(name, 'must not hold control characters')
  if (!before && followedBy[label] === 'url' && sent.name === undefined) fault('name', 'is required')
  return faults
}

const names = ['label', 'name', 'url', 'screen_name', 'body', 'username', 'password'] as const

/** The same of a body whose schema refuses it: of its fields those that it does not refuse already. */
export const formFaults = async (
  context: Pick<Context, 'config' | 'db' | 'outgoing'>,
  { environment_id }: Actor,
  body: object,
  id: string | undefined,
  found: FieldError[],
): Promise<FieldError[]> => {
  const named = new Set(found.map(({ path }) => path))
  const sent = (body ?? {}) as Sent
  if (named.has('label')) return []
  const fitting: Sent = Object.fromEntries(
    names.filter((name) => sent[name] !== undefined && !named.has(name)).map((name) => [name, sent[name]]),
  )
  const before = id === undefined ? undefined : await findSource(context.db, environment_id, id)
  const faults = sourceFaults(fitting, before)
  if (before ? fitting.url !== undefined && fitting.url !== before.url : fitting.label)
    readTarget(context, before?.label ?? fitting.label!, { ...before, ...fitting }, faults)
  return faults.filter(({ path }) => !named.has(path))
}
