import { sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import type { Context } from '../../context.ts'
import { emittedName, offeredEvents } from '../../events.ts'
import type { EnvironmentRow } from '../access/table.ts'
import { type Compilable, type CompiledWebhook, compileWebhook } from './compile.ts'
import { indexWebhooks, type WebhookIndex } from './registry-index.ts'
import { namesIn } from './registry-names.ts'

/** The webhooks that an event would call. */
export type Calling = { index: WebhookIndex; count: number; urls: ReadonlyMap<string, string> }

/** Those that are registered for an event, by either of its names, and how they choose. */
export const findCalling = async (
  context: Pick<Context, 'db' | 'remember'>,
  environment: EnvironmentRow,
  event: string,
): Promise<Calling> => {
  const names = offeredEvents.filter((name) => emittedName(name) === emittedName(event))
  const { rows } = await sql<
    Compilable & { url: string }
  >`select id, version, events, filter, url from webhooks
    where environment_id = ${environment.id} and active and events && ${names}::text[] order by id`.execute(
    context.db,
  )
  const compiled = await compileAll(context, environment, rows)
  const urls = new Map(rows.map(({ id, url }) => [id, url]))
  return { index: indexWebhooks(compiled), count: rows.length, urls }
}

type Compiling = LRUCache<string, Promise<CompiledWebhook>>
/** Of one environment. */
const maxCompiled = 20_000
/** More would take connections from others. */
const together = 4

/** What names nothing and searches for nothing means the same until models, statuses or the webhook change. */
const compileAll = async (
  context: Pick<Context, 'db' | 'remember'>,
  environment: EnvironmentRow,
  rows: Compilable[],
): Promise<CompiledWebhook[]> => {
  const heldUntil = (family: 'structure' | 'content'): Promise<Compiling> =>
    context.remember(
      environment.id,
      family,
      `compiled webhooks ${environment.version}`,
      async () => new LRUCache({ max: maxCompiled }),
    )
  const [lasting, passing] = [await heldUntil('structure'), await heldUntil('content')]
  const compile = async (row: Compilable): Promise<CompiledWebhook> => {
    const key = `${row.id} ${row.version}`
    const known = lasting.get(key) ?? passing.get(key)
    if (known) return known
    const compiling = compileWebhook(context, environment, row)
    passing.set(key, compiling)
    const compiled = await compiling.catch((error) => {
      passing.delete(key)
      throw error
    })
    if (!compiled.searches && namesIn(row.filter).length === 0) lasting.set(key, compiling)
    return compiled
  }
  const compiled: CompiledWebhook[] = []
  for (let from = 0; from < rows.length; from += together)
    compiled.push(...(await Promise.all(rows.slice(from, from + together).map(compile))))
  return compiled
}
