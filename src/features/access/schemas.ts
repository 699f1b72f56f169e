import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { epochSeconds } from '../../database/values.ts'
import { emailPattern } from '../../http/schemas.ts'
import { scopes } from './scopes.ts'

/** One of a few words. */
export const Choice = <const T extends readonly string[]>(values: T, options: object = {}) =>
  Type.Unsafe<T[number]>({ type: 'string', enum: [...values], ...options })

export const Email = (options: object = {}) =>
  Type.String({
    maxLength: 254,
    pattern: emailPattern,
    examples: ['editor@example.org'],
    ...options,
  })
export const Password = (options: object = {}) =>
  Type.String({ minLength: 8, maxLength: 200, format: 'password', ...options })

/** A moment as callers may write it; `parseMoment` reads it. */
export const Moment = (options: object = {}) =>
  Type.Unsafe<string | number | null>({
    type: ['string', 'integer', 'null'],
    format: 'moment',
    ...epochSeconds,
    description: 'Epoch seconds or ISO 8601',
    examples: ['2027-01-01T00:00:00+00:00'],
    ...options,
  })

export const Reference = Type.Unsafe<{ id: string } | null>({
  type: ['object', 'null'],
  properties: { id: { type: 'string', maxLength: 200 } },
  required: ['id'],
  additionalProperties: false,
})

export const Scopes = Type.Array(Choice(scopes), {
  uniqueItems: true,
  maxItems: 100,
  examples: [['channels', 'publications']],
})

/** For a POST whose body is optional: without one it is empty. */
export const orEmpty = async (request: FastifyRequest): Promise<void> => {
  request.body ??= {}
}
