import type { FastifyReply, FastifyRequest } from 'fastify'
import { type TSchema, Type } from 'typebox'
import type { ListRequest, Page } from '../database/page.ts'
import { type Problem, readers } from '../database/values.ts'
import type { ListOptions } from './types.ts'

/** The envelope of every list. */
export const Collection = (item: TSchema) =>
  Type.Object({
    items: Type.Array(item),
    total: Type.Optional(Type.Integer({ description: 'Absent with total=false' })),
    after: Type.String({ description: 'Cursor behind the last item' }),
    before: Type.String({ description: 'Cursor before the first item' }),
    skip: Type.Integer(),
    limit: Type.Integer(),
  })

/** What every list takes; the rest of its query is filters. */
export const readList = (
  query: Record<string, unknown>,
  options: ListOptions,
  problems: Problem[],
): ListRequest => {
  const { limit, skip, offset, after, before, sort, fields: _fields, total, ...filter } = query
  const whole = (value: unknown, path: string, fallback: number, min: number, max: number): number => {
    if (value === undefined) return fallback
    const number = readers.integer(value, path, problems) as number | undefined
    if (number !== undefined && (number < min || number > max))
      problems.push({ path, message: `must be from ${min} to ${max}` })
    return number ?? fallback
  }
  const text = (value: unknown, path: string): string | undefined => {
    if (value === undefined || value === '') return undefined
    if (typeof value === 'string') return value
    problems.push({ path, message: 'must be a single value' })
    return undefined
  }
  const request: ListRequest = {
    limit: whole(limit, 'limit', options.defaultLimit ?? 25, 1, options.maxLimit ?? 1000),
    skip: whole(skip ?? offset, skip === undefined ? 'offset' : 'skip', 0, 0, 2_147_483_647),
    after: text(after, 'after'),
    before: text(before, 'before'),
    sort: text(sort, 'sort'),
    total: total === undefined ? true : Boolean(readers.boolean(total, 'total', problems)),
    filter,
  }
  if (request.after !== undefined && request.before !== undefined)
    problems.push({ path: 'before', message: 'cannot be combined with after' })
  return request
}

/** The page in its envelope, with `Link` where there is a page on either side. */
export const envelope = <Row>(
  request: FastifyRequest,
  reply: FastifyReply,
  publicUrl: string,
  page: Page<Row>,
  items: object[],
) => {
  const links: string[] = []
  if (page.next) links.push(link(request, publicUrl, 'after', page.after, 'next'))
  if (page.previous) links.push(link(request, publicUrl, 'before', page.before, 'prev'))
  if (links.length > 0) reply.header('Link', links.join(', '))
  const { total, after, before, skip, limit } = page
  return { items, total, after, before, skip, limit }
}

/** Built from configuration, never from Host, and without the token that may stand in the query. */
const link = (
  request: FastifyRequest,
  publicUrl: string,
  name: string,
  cursor: string,
  rel: string,
): string => {
  const url = new URL(request.url, publicUrl)
  for (const key of ['after', 'before', 'skip', 'offset', 'access_token']) url.searchParams.delete(key)
  url.searchParams.set(name, cursor)
  return `<${publicUrl}${url.pathname}${url.search}>; rel="${rel}"`
}
