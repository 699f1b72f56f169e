import { sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import type { Db } from '../../database/connect.ts'
import type { RememberedValues } from '../../database/versions.ts'
import { eventCatalogue } from '../../events.ts'
import type { EnvironmentRow } from '../access/table.ts'
import { type Compilable, type CompiledWebhook, compileWebhook } from './compile.ts'
import { indexWebhooks, type WebhookIndex } from './registry-index.ts'
import { indexNames, type Named, type Names } from './registry-names.ts'

/** The webhooks of an environment, and behind which event each of them counts. */
export type Registered = {
  index: WebhookIndex
  /** Whether the webhook was there, and on, when the event of this number happened. */
  isOn(id: string, sequence: number): boolean
}

type Held = Registered & {
  compiled: Map<string, CompiledWebhook>
  /** The number of the event that brought each to life or switched it on; Infinity while it has none. */
  since: ReadonlyMap<string, number>
  searches: boolean
  names: Names
  loadedAt: number
  /** Whether webhooks were changed, made or deleted since. */
  isStale: boolean
  /** Those whose filter may mean something else by now. */
  outdated: Set<string>
  isSearchingAnew: boolean
}

/** Begun and mistyped words are looked up in what has been written; so often that is asked again. */
const searchedAnew = 300_000
const maxEnvironments = 1000
/** More would take connections from others. */
const together = 4

const outdates = (prefix: RegExp): string[] => Object.keys(eventCatalogue).filter((name) => prefix.test(name))
const naming = new Set(outdates(/^(tag|channel|container)\./))
const meaning = new Set(outdates(/^(status|publication_model|environment)\./))
const changing = new Set(outdates(/^webhook\./))
/** Events after which what is held may be wrong. */
export const outdatingEvents = [...naming, ...meaning, ...changing]

export type Noted = Omit<Named, 'environment_id'> & { environment_id: string | null }

/**
 * The webhooks of environments, compiled. What the log of events says is all that is needed to know when one must be
 * read or compiled again.
 */
export const webhookRegistry = (db: Db) => {
  const environments = new LRUCache<string, Held>({ max: maxEnvironments })
  /** Nobody waits for it; what is noted meanwhile counts for both. */
  const searchAnew = (environmentId: string, held: Held): void => {
    held.isSearchingAnew = true
    load(db, environmentId, held, true)
      .then((loaded) => {
        const { isStale, outdated } = held
        if (environments.get(environmentId) === held)
          environments.set(environmentId, { ...loaded, isStale, outdated })
      })
      .catch(() => {
        held.isSearchingAnew = false
      })
  }
  return {
    async of(environmentId: string): Promise<Registered> {
      const held = environments.get(environmentId)
      if (held && !held.isStale && held.outdated.size === 0) {
        if (needsNewWords(held)) searchAnew(environmentId, held)
        return held
      }
      const loaded = await load(db, environmentId, held)
      environments.set(environmentId, loaded)
      return loaded
    },
    note({ environment_id, event, record_id, names }: Noted): void {
      const id = event.startsWith('environment.') ? record_id : environment_id
      const held = id === null ? undefined : environments.get(id)
      if (!held) return
      if (changing.has(event)) held.isStale = true
      const about = { environment_id: id!, event, record_id, names }
      const touched = meaning.has(event)
        ? held.compiled.keys()
        : naming.has(event)
          ? held.names.meaning(about)
          : []
      for (const one of touched) held.outdated.add(one)
    },
    forget: (): void => environments.clear(),
  }
}
export type WebhookRegistry = ReturnType<typeof webhookRegistry>

const needsNewWords = ({ loadedAt, isSearchingAnew, searches }: Held): boolean =>
  searches && !isSearchingAnew && performance.now() - loadedAt > searchedAnew

/** Compiles what changed; the rest stays. */
const load = async (
  db: Db,
  environmentId: string,
  before: Held | undefined,
  anew = before === undefined,
): Promise<Held> => {
  const environment = await findEnvironment(db, environmentId)
  const isKept = (one: CompiledWebhook | undefined, { version }: Compilable): boolean =>
    one?.webhook.version === version && !before!.outdated.has(one.webhook.id) && !(anew && one.searches)
  const loadedAt = anew ? performance.now() : before!.loadedAt
  const rows = environment ? await activeWebhooks(db, environmentId) : []
  const since = await sinceWhen(db, environmentId, rows, before)
  const context = { db, remember: rememberOnce() }
  const compiled = new Map<string, CompiledWebhook>()
  for (let from = 0; from < rows.length; from += together)
    for (const one of await Promise.all(
      rows.slice(from, from + together).map((row) => {
        const known = before?.compiled.get(row.id)
        return isKept(known, row) ? known! : compileWebhook(context, environment!, row)
      }),
    ))
      compiled.set(one.webhook.id, one)
  const all = [...compiled.values()]
  const fresh = { isStale: false, outdated: new Set<string>(), isSearchingAnew: false, loadedAt }
  const searches = all.some((one) => one.searches)
  const isOn = (id: string, sequence: number): boolean => sequence > since.get(id)!
  return { compiled, searches, since, names: indexNames(all), index: indexWebhooks(all), isOn, ...fresh }
}

const findEnvironment = async (db: Db, id: string): Promise<EnvironmentRow | undefined> => {
  const { rows } = await sql<EnvironmentRow>`select * from environments where id = ${id}`.execute(db)
  return rows[0]
}

const activeWebhooks = async (db: Db, environmentId: string): Promise<Compilable[]> => {
  const { rows } = await sql<Compilable>`select id, version, events, filter from webhooks
    where environment_id = ${environmentId} and active order by id`.execute(db)
  return rows
}

/** Of what is as it was nobody asks again. */
const sinceWhen = async (db: Db, environmentId: string, rows: Compilable[], before: Held | undefined) => {
  const known = new Map<string, number>()
  for (const { id, version } of rows) {
    const since = before?.compiled.get(id)?.webhook.version === version ? before.since.get(id)! : Infinity
    if (since < Infinity) known.set(id, since)
  }
  const others = rows.flatMap(({ id }) => (known.has(id) ? [] : [id]))
  return others.length === 0 ? known : new Map([...known, ...(await findSince(db, environmentId, others))])
}

/** What happened and is not numbered yet comes behind everything that is. In one statement: it may be numbered meanwhile. */
const findSince = async (db: Db, environmentId: string, ids: string[]): Promise<[string, number][]> => {
  const { rows } = await sql<{ id: string; since: string }>`
    with told as (select record_id, sequence, (snapshot ->> 'active')::boolean as active from events
      where environment_id = ${environmentId} and record_id = any(${ids}::text[]) and event like 'webhook.%'),
    off as (select record_id, max(sequence) as sequence from told where not active group by record_id),
    turned as (select record_id, min(told.sequence)::text as sequence from told left join off using (record_id)
      where told.sequence > coalesce(off.sequence, 0) group by record_id)
    select id, coalesce(turned.sequence, case when id in (select record_id from outbox
      where environment_id = ${environmentId}) then 'Infinity' else '0' end) as since
    from unnest(${ids}::text[]) as one (id) left join turned on turned.record_id = id`.execute(db)
  return rows.map(({ id, since }) => [id, Number(since)])
}

/** For as long as one load takes. What the process remembers may be older than the events that are planned. */
const rememberOnce = (): RememberedValues => {
  const known = new Map<string, Promise<unknown>>()
  return <T>(environment: string, family: string, key: string, find: () => Promise<T>): Promise<T> => {
    const name = `${environment} ${family} ${key}`
    if (!known.has(name)) known.set(name, find())
    return known.get(name) as Promise<T>
  }
}
