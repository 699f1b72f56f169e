import { sql } from 'kysely'
import { dateSorts, dates } from '../../database/common-filters.ts'
import type { FilterSpec } from '../../database/filters.ts'
import { type ListRequest, planList } from '../../database/page.ts'
import { q, type Searched } from '../../database/words.ts'
import { type FieldError, faultsOf, Invalid } from '../../errors.ts'
import type { ListOptions } from '../../http/types.ts'
import type { Actor } from '../access/authenticate.ts'
import { attachmentKinds, messageLabels } from './table.ts'

const link = (table: string, column: string) => ({ table, on: { message_id: column } })

const filters = {
  ...dates,
  label: { type: 'text', operators: ['eq', 'in'], values: messageLabels },
  channels: { type: 'id', operators: ['eq', 'in', 'has'], column: 'channel_id' },
  moods: {
    type: 'id',
    operators: ['in', 'eq', 'has'],
    column: 'tag_id',
    link: { table: 'person_tags', on: { person_key: 'person_key' } },
    moving: true,
  },
  tags: {
    type: 'id',
    operators: ['eq', 'in', 'all', 'has'],
    column: 'tag_id',
    link: link('message_tags', 'id'),
  },
  favorites: { type: 'boolean', operators: ['has'], link: link('message_favorites', 'id') },
  on_screen: { type: 'date', operators: ['has'], column: 'on_screen_on' },
  assets: {
    type: 'text',
    operators: ['in', 'eq', 'has'],
    column: 'kind',
    values: attachmentKinds,
    link: link('message_attachments', 'id'),
  },
  q: { ...q, moving: true },
} satisfies FilterSpec

const list = {
  table: 'messages',
  family: 'messages',
  filters,
  sorts: dateSorts,
  defaultSort: '-created_on',
} satisfies ListOptions

/** The unversioned list wants a span of time. */
export const messageList: ListOptions = {
  ...list,
  filters: { ...list.filters, created_on: { ...dates.created_on, required: true } },
  faults: (request, actor) => listFaults(messageList, request, actor, true),
}

export const inMessages: Searched = { table: 'messages', columns: ['body', 'sender'] }
export const inBodies: Searched = { table: 'messages', columns: ['body'] }

/** Version 5 searches words alone, and calls a channel by its id. */
export const messageListV5: ListOptions = {
  ...list,
  filters: {
    ...list.filters,
    channel_id: { type: 'id', operators: ['eq', 'in'], bare: 'eq' },
    q,
  },
  faults: (request, actor) => listFaults(messageListV5, request, actor, false),
}

type Asked = { request: ListRequest; secret: string | undefined }

/** The session stands among the filters and is none. */
export const askedOf = ({ filter: { session_hash, ...filter }, ...request }: ListRequest): Asked => ({
  request: { ...request, filter },
  secret: typeof session_hash === 'string' ? session_hash : undefined,
})

/** Everything that is wrong with a request and can be told without looking anything up. */
const listFaults = (
  options: ListOptions,
  asked: ListRequest,
  actor: Actor,
  isSpan: boolean,
): FieldError[] => {
  const { request, secret } = askedOf(asked)
  const faults = faultsOf(() => planList(options, request))
  const { session_hash } = asked.filter
  if (session_hash !== undefined && secret === undefined)
    faults.push({ path: 'session_hash', message: 'must be a single value' })
  if (isSpan && request.filter.created_on === undefined)
    faults.push({ path: 'created_on', message: 'is required, such as created_on[0][gt]=2026-11-01' })
  if (mentions(request.filter, 'favorites') && secret === undefined && actor.user_id === null)
    faults.push({ path: 'favorites', message: 'needs session_hash of a user, or a token bound to one' })
  return faults
}

export const requireFaultless = (options: ListOptions, request: ListRequest, actor: Actor): void => {
  const faults = options.faults!(request, actor)
  if (faults.length > 0) throw new Invalid(faults)
}

/** Anywhere, alternatives included. */
const mentions = (filter: unknown, name: string): boolean =>
  typeof filter === 'object' &&
  filter !== null &&
  (Object.hasOwn(filter, name) || Object.values(filter).some((inner) => mentions(inner, name)))

/** Favorites are those of one user. Totals are remembered by what is asked and by these conditions. */
export const forUser = (options: ListOptions, userId: string | undefined) => {
  const only = [sql`row.parent_id is null`]
  if (userId === undefined) return { options, only }
  const isOwn = sql`link.user_id = ${userId}`
  const favorites = { ...filters.favorites, link: { ...filters.favorites.link, only: isOwn } }
  return {
    options: { ...options, filters: { ...options.filters, favorites } },
    only: [...only, sql`${userId}::text is not null`],
  }
}
