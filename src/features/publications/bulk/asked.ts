import { type Problem, readers } from '../../../database/values.ts'
import { type FieldError, Invalid } from '../../../errors.ts'
import { isObject } from '../../../objects.ts'
import type { Input } from '../commands/applied.ts'

/** What a bulk call asks for, from its query and its body. */
export type Asked = {
  filter: Record<string, unknown>
  /** How a fault of the filter is named: by where it was sent. */
  prefix: '' | 'filter.'
  locale: string | undefined
  dryRun: boolean
  plan: string | undefined
  /** The rest of the body. */
  changes: Input
  faults: FieldError[]
}

/**
 * A call without a filter is refused unless it says `all`: what was left empty by mistake, in whatever way, must not
 * reach every publication there is.
 */
export const readAsked = (query: Input, body: Input): Asked => {
  const faults: FieldError[] = []
  const { all, dry_run, plan, ...inQuery } = query
  const { all: bodyAll, dry_run: bodyDryRun, plan: bodyPlan, filter: inBody, ...changes } = body
  const own = isObject(inBody) ? inBody : {}
  if (Object.keys(inQuery).length > 0 && Object.keys(own).length > 0)
    faults.push({ path: 'filter', message: 'must stand in the query or in the body, not in both' })
  const isInBody = Object.keys(own).length > 0
  const { locale, ...filter } = isInBody ? own : inQuery
  const prefix = isInBody ? 'filter.' : ''
  faults.push(
    ...[...Object.entries({ ...filter, locale })].flatMap(([name, value]) => empties(value, prefix + name)),
  )
  if (locale !== undefined && typeof locale !== 'string')
    faults.push({ path: `${prefix}locale`, message: 'must be a single value' })
  const isFiltered = Object.keys(isInBody ? own : inQuery).length > 0
  requireFilter(isFiltered, readSwitch('all', all, bodyAll, faults), faults)
  return {
    filter,
    prefix,
    locale: typeof locale === 'string' ? locale : undefined,
    dryRun: readSwitch('dry_run', dry_run, bodyDryRun, faults),
    plan: readOnce('plan', plan, bodyPlan, faults) as string | undefined,
    changes,
    faults,
  }
}

const requireFilter = (isFiltered: boolean, all: boolean, faults: FieldError[]): void => {
  if (!isFiltered && !all)
    faults.push({ path: 'filter', message: 'is needed; all=true stands for every publication' })
  if (isFiltered && all) faults.push({ path: 'all', message: 'cannot be combined with a filter' })
}

/** Every part of a filter that says nothing: one that was meant to narrow and does not would widen. */
export const empties = (value: unknown, path: string): FieldError[] => {
  if (value === undefined) return []
  if (value === null || value === '') return [{ path, message: 'holds no filter' }]
  if (typeof value !== 'object') return []
  const entries = Object.entries(value)
  if (entries.length === 0) return [{ path, message: 'holds no filter' }]
  return entries.flatMap(([name, inner]) => empties(inner, `${path}.${name}`))
}

const readOnce = (name: string, inQuery: unknown, inBody: unknown, faults: FieldError[]): unknown => {
  if (inQuery !== undefined && inBody !== undefined)
    faults.push({ path: name, message: 'must stand in the query or in the body, not in both' })
  return inQuery ?? inBody
}

const readSwitch = (name: string, inQuery: unknown, inBody: unknown, faults: Problem[]): boolean => {
  const value = readOnce(name, inQuery, inBody, faults)
  return value !== undefined && Boolean(readers.boolean(value, name, faults))
}

/** Faults of a filter by the path it was sent under. */
export const underPrefix = (error: unknown, prefix: string): FieldError[] => {
  if (!(error instanceof Invalid)) throw error
  return (error.errors ?? []).map(({ path, message }) => ({ path: prefix + path, message }))
}
