import { listOf } from '../../../database/lists.ts'
import type { ListRequest } from '../../../database/page.ts'
import { type Moment, type Problem, readers } from '../../../database/values.ts'
import { isObject } from '../../../objects.ts'
import type { InteractionLabel } from '../../interactions/labels.ts'
import { type NotificationState, notificationStates } from '../../notifications/table.ts'
import { farthest } from '../list/near.ts'
import { doings, PublicationListQueryV5 } from './query.ts'

export type Near = { latitude: number; longitude: number; metres: number }
type Span = { from: Moment | undefined; until: Moment | undefined }

/** What a list of version 5 asks for, read. */
export type AskedV5 = {
  statuses: string[]
  labels: string[]
  /** In the words of the unversioned filters. */
  filter: Record<string, unknown>
  published_on: Span
  event: Span
  near: Near | undefined
  order: InteractionLabel | undefined
  did: [InteractionLabel, boolean][]
  notification: NotificationState | undefined
  sessionHash: string | undefined
  /** Whether it is about the person of the session. */
  isPersonal: boolean
}

const known = Object.keys(PublicationListQueryV5.properties)
const most = 200

/** Reads the query; `isKnown` tells whether the token says for whom it is. */
export const readV5 = ({ filter: sent }: ListRequest, isKnown: boolean, problems: Problem[]): AskedV5 => {
  const value = readingOf(sent, problems)
  for (const name of Object.keys(sent))
    if (!known.includes(name))
      problems.push({ path: name, message: `is not a parameter here; known are ${known.join(', ')}` })
  const did = Object.entries(doings).flatMap(([name, label]): [InteractionLabel, boolean][] => {
    const wanted = value.boolean(name)
    return wanted === undefined ? [] : [[label, wanted]]
  })
  const asked: AskedV5 = {
    statuses: value.list('status') ?? [],
    labels: value.list('label') ?? [],
    filter: filterOf(sent, value),
    published_on: spanOf('published_on', value, problems),
    event: spanOf('event', value, problems),
    near: nearOf(sent, value, problems),
    // The schema of the query has told if it is none of them.
    order: value.text('interactions_order') as InteractionLabel | undefined,
    did,
    notification: notificationOf(sent.me, problems),
    sessionHash: value.text('session_hash'),
    isPersonal: did.length > 0 || sent.me !== undefined,
  }
  if (asked.sessionHash === undefined && !isKnown) needSession(sent, problems)
  return asked
}

type Reading = ReturnType<typeof readingOf>

const readingOf = (sent: Record<string, unknown>, problems: Problem[]) => {
  const read = <T>(name: string, reader: (raw: unknown, path: string, problems: Problem[]) => unknown) =>
    sent[name] === undefined ? undefined : (reader(sent[name], name, problems) as T | undefined)
  const text = (name: string): string | undefined => {
    const found = read<string>(name, readers.id)
    if (found === '') problems.push({ path: name, message: 'must not be empty' })
    return found
  }
  return {
    text,
    number: (name: string) => read<number>(name, readers.number),
    integer: (name: string) => read<number>(name, readers.integer),
    boolean: (name: string) => read<boolean>(name, readers.boolean),
    date: (name: string) => read<Moment>(name, readers.date),
    list: (name: string): string[] | undefined => {
      const raw = sent[name]
      if (raw === undefined) return undefined
      const items = typeof raw === 'string' ? raw.split(',', most + 1) : listOf(raw)
      const isList = items && items.length > 0 && items.length <= most && items.every((item) => isName(item))
      if (!isList) problems.push({ path: name, message: `must be 1 to ${most} values by comma` })
      return isList ? (items as string[]).map((item) => item.trim()) : undefined
    },
  }
}

const isName = (item: unknown): boolean =>
  typeof item === 'string' && item.trim() !== '' && item.length <= 200

/** What has the same meaning in both generations. */
const filterOf = (
  sent: Record<string, unknown>,
  { text, list, boolean }: Reading,
): Record<string, unknown> => {
  const channels = [
    [{ eq: text('channel_id') }, {}],
    [{ in: list('channel_ids') }, {}],
    [{ eq: text('channel_slug') }, { param: 'slug' }],
  ]
  const tags = [
    [{ in: list('tag_ids') }, {}],
    [{ in: list('tag_names') }, { param: 'body' }],
    [{ eq: text('tag_slug') }, { param: 'slug' }],
  ]
  const there = (all: object[][]) =>
    all.filter(([test]) => Object.values(test!)[0] !== undefined).map((parts) => Object.assign({}, ...parts))
  const createdBy = text('created_by_id')
  const published = isObject(sent.published) ? sent.published : { eq: boolean('published') }
  return {
    ...(there(channels).length > 0 && { channels: there(channels) }),
    ...(there(tags).length > 0 && { tags: there(tags) }),
    ...(createdBy !== undefined && { created_by: { eq: createdBy } }),
    ...(sent.q !== undefined && { q: sent.q }),
    ...(Object.values(published).some((one) => one !== undefined) && { published }),
  }
}

const spanOf = (name: string, { date }: Reading, problems: Problem[]): Span => {
  const span = { from: date(`${name}_from`), until: date(`${name}_until`) }
  if (span.from && span.until && span.until.until <= span.from.from)
    problems.push({ path: `${name}_until`, message: `must not be before ${name}_from` })
  return span
}

const nearOf = (
  sent: Record<string, unknown>,
  { number, integer }: Reading,
  problems: Problem[],
): Near | undefined => {
  const [latitude, longitude, distance] = [number('latitude'), number('longitude'), integer('distance')]
  const fault = (path: string, message: string) => problems.push({ path, message })
  const has = (name: string): boolean => sent[name] !== undefined
  if (has('latitude') && !has('longitude')) fault('longitude', 'is required with latitude')
  if (has('longitude') && !has('latitude')) fault('latitude', 'is required with longitude')
  if (has('distance') && !has('latitude') && !has('longitude'))
    fault('distance', 'needs latitude and longitude')
  if (latitude !== undefined && Math.abs(latitude) > 90) fault('latitude', 'must be from -90 to 90')
  if (longitude !== undefined && Math.abs(longitude) > 180) fault('longitude', 'must be from -180 to 180')
  if (distance !== undefined && distance < 50) fault('distance', 'must be at least 50')
  if (latitude === undefined || longitude === undefined) return undefined
  return { latitude, longitude, metres: Math.min(distance ?? farthest, farthest) }
}

const notificationOf = (me: unknown, problems: Problem[]): NotificationState | undefined => {
  if (me === undefined) return undefined
  const { notification, ...others } = isObject(me) ? me : {}
  const { state, ...rest } = isObject(notification) ? notification : {}
  for (const name of Object.keys(others)) problems.push({ path: `me.${name}`, message: 'is not known' })
  for (const name of Object.keys(rest))
    problems.push({ path: `me.notification.${name}`, message: 'is not known' })
  if (notificationStates.includes(state as never)) return state as NotificationState
  problems.push({
    path: 'me.notification.state',
    message: `must be one of ${notificationStates.join(', ')}`,
  })
  return undefined
}

const needSession = (sent: Record<string, unknown>, problems: Problem[]): void => {
  const names = [...Object.keys(doings), 'me'].filter((name) => sent[name] !== undefined)
  for (const name of names)
    problems.push({ path: name === 'me' ? 'me.notification.state' : name, message: 'needs session_hash' })
}
