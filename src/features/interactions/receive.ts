import { randomUUIDv7 } from 'node:crypto'
import { parseMoment } from '../../database/values.ts'
import { type FieldError, Invalid } from '../../errors.ts'
import type { Actor } from '../access/authenticate.ts'
import { type InteractionLabel, labelNumber } from './labels.ts'
import type { InteractionBody, InteractionInput } from './schema.ts'

/** Whom an interaction names; nobody where the token tells. */
export type Who = { id?: string; reference_id?: string; session_hash?: string }

export type Received = {
  id: string
  /** Whether the caller chose the id, so that it may come again. */
  isGiven: boolean
  createdOn: Date
  label: InteractionLabel
  number: number
  value: number | null
  recommendationId: string | null
  who: Who
}

/** What one request wants recorded. */
export type Submission = {
  actor: Actor
  publicationId: string
  items: Received[]
  /** Where faults of an item are said to be. */
  pathOf(index: number, name: string): string
}

/** How far ahead the clock of a caller may be. */
const ahead = 5 * 60_000

/** What is wrong with a body beyond its schema. It may have any shape: the schema is judged beside this. */
const faultsOfBody = ({ person_key }: Actor, body: unknown): FieldError[] => {
  if (typeof body !== 'object' || body === null) return []
  const { items, ...single } = body as InteractionBody
  if (items === undefined)
    return [
      ...('label' in single ? [] : [{ path: 'label', message: 'is required' }]),
      ...faultsOfOne(single, '', person_key),
    ]
  const beside = Object.keys(single).map((path) => ({ path, message: 'cannot be sent beside items' }))
  if (!Array.isArray(items)) return beside
  return [...beside, ...items.flatMap((item, index) => faultsOfOne(item, `items.${index}.`, person_key))]
}

const nothing: FieldError[] = []

const faultsOfOne = (sent: unknown, prefix: string, own: string | null): FieldError[] => {
  if (typeof sent !== 'object' || sent === null) return nothing
  const { person, session_hash, created_on } = sent as Partial<InteractionInput>
  const isAhead = created_on != null && (parseMoment(created_on)?.from.getTime() ?? 0) > Date.now() + ahead
  const isNobody = person === undefined && session_hash === undefined && own === null
  const isTwo = person !== undefined && session_hash !== undefined
  if (!isAhead && !isNobody && !isTwo) return nothing
  return [
    ...(isAhead ? [{ path: `${prefix}created_on`, message: 'lies in the future' }] : []),
    ...(isNobody ? [{ path: `${prefix}person`, message: 'is required' }] : []),
    ...(isTwo ? [{ path: `${prefix}session_hash`, message: 'cannot be sent beside person' }] : []),
  ]
}

/** A body as what is stored, unless its schema or we find faults: then all are told. */
export const receive = (
  actor: Actor,
  publicationId: string,
  body: InteractionBody,
  found: FieldError[],
): Submission => {
  const faults = [...found, ...faultsOfBody(actor, body)]
  if (faults.length > 0) throw new Invalid(faults)
  const now = new Date()
  const { items } = body
  return {
    actor,
    publicationId,
    items: (items ?? [body as InteractionInput]).map((item) => received(item, now)),
    pathOf: items ? (index, name) => `items.${index}.${name}` : (_, name) => name,
  }
}

const received = (sent: InteractionInput, now: Date): Received => ({
  id: sent.id ?? randomUUIDv7(),
  isGiven: sent.id !== undefined,
  createdOn: sent.created_on == null ? now : parseMoment(sent.created_on)!.from,
  label: sent.label,
  number: labelNumber(sent.label),
  value: sent.value ?? null,
  recommendationId: sent.recommendation_id ?? null,
  who: sent.person ?? (sent.session_hash === undefined ? {} : { session_hash: sent.session_hash }),
})
