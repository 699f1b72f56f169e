import type { Scope } from '../../src/features/access/scopes.ts'
import type { Generation } from '../../src/http/openapi/collect.ts'

export type State = 'implemented' | 'planned'
type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'
/** Scopes that are all needed; `[]` is any token of the environment, `public` none at all. */
type Needs = readonly Scope[] | 'public'

export type Endpoint = {
  /** Where it comes from: a section of the specification, or a part that was added to it. */
  source: string
  generation: Generation
  method: Method
  path: string
  scopes: Needs
  state: State
  note?: string
}

type Row = readonly [Method, string, Needs, State, string?]

export const section = (source: string, generation: Generation, rows: readonly Row[]): Endpoint[] =>
  rows.map(([method, path, scopes, state, note]) => ({
    source,
    generation,
    method,
    path,
    scopes,
    state,
    ...(note && { note }),
  }))

export const done = 'implemented' as const
export const planned = 'planned' as const

/** List, read, create, change and delete of one kind of record. */
export const crud = (
  path: string,
  read: readonly Scope[],
  write: readonly Scope[],
  state: State,
  remove: readonly Scope[] = write,
): Row[] => [
  ['GET', path, read, state],
  ['POST', path, write, state],
  ['GET', `${path}/{id}`, read, state],
  ['PUT', `${path}/{id}`, write, state],
  ['DELETE', `${path}/{id}`, remove, state],
]
