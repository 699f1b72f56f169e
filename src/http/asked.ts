import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { type ListRequest, planList } from '../database/page.ts'
import { type FieldError, faultsOf, Invalid, invalid, NotFound } from '../errors.ts'
import { validationErrors } from './errors.ts'
import { checkSelection, type Expansions } from './expand.ts'
import { parseFields, type Selection } from './fields.ts'
import { readList } from './list.ts'

const NoQuery = Type.Object({}, { additionalProperties: false })

/**
 * What a query asks for, before a handler runs. A route without a query takes none; the names of a list are
 * those of its filters. The check comes behind the route's own hooks, which may still complete its body.
 */
export const readQueries = (app: FastifyInstance): void => {
  app.addHook('onRoute', (route) => {
    if (!route.config?.list) route.schema = { querystring: NoQuery, ...route.schema }
    const own = [route.preValidation ?? []].flat()
    if (!own.includes(readQuery)) route.preValidation = [...own, readQuery]
  })
}

/** Everything that is wrong is told at once, the body included: Fastify alone would stop at either. */
const readQuery = (request: FastifyRequest, _reply: FastifyReply, done: (error?: Error) => void): void => {
  const late = atOnceOrLater(request)
  if (late) late.then(() => done(), done)
  else done()
}

/** Only what is wrong takes time. */
const atOnceOrLater = (request: FastifyRequest): Promise<void> | undefined => {
  const { list, record, expansions = {}, alsoWrong } = request.routeOptions.config
  const query = request.query as Record<string, unknown>
  const faults = faultsOf(() => {
    request.selection = readFields(query.fields)
    if (record) checkSelection(request.selection, expansions as Expansions<never>, record)
  })
  if (list) request.list = readList(query, list, faults)
  faults.push(...schemaFaults(request, 'querystring'))
  // A list under a record is judged before the record is looked for; any other judges itself when it is read.
  const isNested = list !== undefined && 'id' in (request.params as object)
  if (faults.length === 0 && !alsoWrong && !isNested) return undefined
  if (list)
    faults.push(
      ...(list.faults?.(request.list, request.actor) ??
        faultsOf(() => planList(list, isNested ? first(request.list) : request.list))),
    )
  faults.push(...schemaFaults(request, 'body'))
  return faults.length === 0 ? undefined : refuse(request, faults)
}

const refuse = async (request: FastifyRequest, faults: FieldError[]): Promise<never> => {
  const { alsoWrong } = request.routeOptions.config
  const { id } = request.params as { id?: string }
  throw new Invalid([
    ...faults,
    ...(await others(alsoWrong?.(request.actor, request.body as object, id, faults))),
  ])
}

/** Of a record that is not there nothing else can be wrong. */
const others = async (found: Promise<FieldError[]> | FieldError[] | undefined): Promise<FieldError[]> => {
  try {
    return (await found) ?? []
  } catch (error) {
    if (error instanceof NotFound) return []
    throw error
  }
}

/** The same list from its beginning: a cursor is for the list itself to read. */
const first = (request: ListRequest): ListRequest => ({ ...request, after: undefined, before: undefined })

const readFields = (value: unknown): Selection => {
  if (value === undefined) return new Map()
  if (Array.isArray(value) && value.every((item) => typeof item === 'string'))
    return parseFields(value.join(','))
  if (typeof value === 'string') return parseFields(value)
  throw invalid('fields', 'must be names separated by commas')
}

const schemaFaults = (request: FastifyRequest, part: 'querystring' | 'body'): FieldError[] => {
  const validate = request.getValidationFunction(part)
  const value = part === 'body' ? (request.body ?? null) : request.query
  // Where a route takes files, each type has a schema of its own, and the route looks at them as they arrive.
  if (typeof validate !== 'function') return []
  return validate(value) ? [] : validationErrors(validate.errors ?? [])
}
