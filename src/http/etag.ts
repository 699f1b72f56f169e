import { hash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { invalid } from '../errors.ts'

/** `"<version>-<representation>"`: the version is what `If-Match` compares, the rest tells bodies apart. */
const etagOf = (version: number | string, representation: string): string =>
  `"${version}-${hash('sha256', representation, 'base64url').slice(0, 8)}"`

/**
 * Sets the ETag of a single record; true when the caller already holds this body and gets a 304. A body that
 * shows other records (`fields`) changes without its own version, so it is the body itself that is compared.
 */
export const isUnchanged = (
  request: FastifyRequest,
  reply: FastifyReply,
  version: number | string,
  body?: unknown,
): boolean => {
  const etag = etagOf(version, JSON.stringify(body ?? [request.url.split('?', 1)[0], request.query]))
  reply.header('ETag', etag)
  return isHeld(request, etag)
}

/** Whether the caller says that it already holds this body. */
export const isHeld = ({ headers: { 'if-none-match': held } }: FastifyRequest, etag: string): boolean =>
  held !== undefined &&
  (held === '*' || held.split(',').some((item) => item.trim().replace(/^W\//, '') === etag))

/** The version a writer saw, from `If-Match`. */
export const expectedVersion = (request: FastifyRequest): number | undefined => {
  const header = request.headers['if-match']
  if (header === undefined || header === '*') return undefined
  const tags = header.split(',').map((tag) => tag.trim())
  if (!tags.every((tag) => /^(W\/)?"[^"]*"$/.test(tag))) throw invalid('If-Match', 'is not a list of ETags')
  // Versions only rise, so of several the newest decides; a tag that is none of ours matches nothing.
  const versions = tags.map((tag) => Number(/"(\d{1,9})(?:[.-][\w.-]*)?"$/.exec(tag)?.[1] ?? -1))
  return Math.max(...versions)
}
