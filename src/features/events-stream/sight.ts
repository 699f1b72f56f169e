import { sql } from 'kysely'
import type { Context } from '../../context.ts'
import type { Db } from '../../database/connect.ts'
import type { Actor } from '../access/authenticate.ts'
import { facet } from '../publications/facets.ts'
import { compilePublicationFilter } from '../publications/list/compile.ts'
import { readMatch } from '../publications/match.ts'
import type { Snapshot } from '../publications/snapshot.ts'
import { isOfComment, isOfPublication } from './names.ts'
import { bareBody, publishedBody } from './published.ts'
import type { Entry } from './read.ts'

export type Filter = { input: Record<string, unknown>; locale: string | undefined }
type Matches = (snapshot: Snapshot) => boolean

/** What a filter's names stand for: it is read anew behind an event about one of them. */
const shaping = /^(status|publication_model|channel|container|tag)\./
export const isShaping = (name: string): boolean => shaping.test(name)

/** Read from the database as it is now, because it outlives what is remembered. */
export const compileFilter = async (
  { db }: Pick<Context, 'db'>,
  { environment, token: { visibility } }: Actor,
  { input, locale }: Filter,
): Promise<Matches> => {
  const fresh = {
    db,
    remember: <T>(_environment: string, _family: string, _key: string, load: () => Promise<T>) => load(),
  }
  return (await compilePublicationFilter(fresh, { environment, visibility, locale }, input)).matches
}

type Wanted = { names: ReadonlySet<string>; filter: Filter | undefined }

/** What one stream shows of each event: its body, or nothing. */
export const sightOf = (context: Context, actor: Actor, { names, filter }: Wanted) => {
  const onlyPublished = actor.token.visibility === 'published'
  let matches: Matches | undefined

  const fits = async (entry: Entry): Promise<boolean> => {
    if (!filter) return true
    matches ??= await compileFilter(context, actor, filter)
    const snapshot = snapshotOf(entry)
    return snapshot !== null && matches(snapshot)
  }
  return async (entry: Entry): Promise<string | undefined> => {
    if (isShaping(entry.event)) matches = undefined
    if (!names.has(entry.event)) return undefined
    if (onlyPublished && isOfComment(entry.event)) return readersText(context.db, actor.environment_id, entry)
    if (!isOfPublication(entry.event)) return entry.text
    const isFitting = await fits(entry)
    if (onlyPublished && isFitting) return publishedText(context.db, actor.environment_id, entry)
    // What readers lose they are told of whatever it looks like now, which they may not know.
    if (onlyPublished && entry.event === 'publication.unpublished') return bareText(entry)
    return isFitting ? entry.text : undefined
  }
}
export type Sight = ReturnType<typeof sightOf>

const snapshots = new WeakMap<Entry, Snapshot | null>()
const snapshotOf = (entry: Entry): Snapshot | null => {
  if (!snapshots.has(entry))
    snapshots.set(entry, entry.match === null ? null : readMatch(JSON.parse(entry.match)))
  return snapshots.get(entry)!
}

/** Worked out once for all streams that see only what is published. */
const texts = new WeakMap<Entry, Promise<string | undefined>>()
const publishedText = (db: Db, environmentId: string, entry: Entry): Promise<string | undefined> => {
  const known = texts.get(entry)
  if (known) return known
  const made = makePublishedText(db, environmentId, entry)
  texts.set(entry, made)
  made.catch(() => texts.delete(entry))
  return made
}

const makePublishedText = async (
  db: Db,
  environmentId: string,
  entry: Entry,
): Promise<string | undefined> => {
  const published = facet(environmentId, 'published')
  const locales = Object.entries(snapshotOf(entry)?.locales ?? {})
    .filter(([, { facets }]) => facets.has(published))
    .map(([locale]) => locale)
  const body = await publishedBody(JSON.parse(entry.text), locales, (ids) =>
    findPublished(db, environmentId, ids),
  )
  return body && JSON.stringify(body)
}

/** Readers hear of approved comments on what they see; of others no more than that they are not there for them. */
const readersText = async (db: Db, environmentId: string, entry: Entry): Promise<string | undefined> => {
  const { payload } = JSON.parse(entry.text) as { payload: { status?: string; publication?: { id: string } } }
  const { status, publication } = payload
  const seen = publication && (await findPublished(db, environmentId, [publication.id]))
  if (status === 'approved' && seen!.size > 0) return entry.text
  return entry.event === 'comment.created' ? undefined : bareText(entry)
}

const bareText = (entry: Entry): string => JSON.stringify(bareBody(JSON.parse(entry.text)))

const findPublished = async (
  db: Db,
  environmentId: string,
  ids: string[],
): Promise<Map<string, readonly string[]>> => {
  const { rows } = await sql<{ id: string; published: string[] }>`
    select id, array(select locale from unnest(locales) as locale
      where (state -> locale ->> 'published')::boolean) as published
    from publications where environment_id = ${environmentId} and id = any(${ids}::text[])
      and facets @> array[${facet(environmentId, 'published')}::bigint]`.execute(db)
  return new Map(rows.map(({ id, published }) => [id, published]))
}
