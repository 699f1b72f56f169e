import { sql } from 'kysely'
import type { Context } from '../../context.ts'
import { emittedName, offeredEvents } from '../../events.ts'
import type { EnvironmentRow } from '../access/table.ts'
import { type Compilable, compileWebhook } from './compile.ts'
import { indexWebhooks, type WebhookIndex } from './registry-index.ts'

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
  const compiled = []
  for (const row of rows) compiled.push(await compileWebhook(context, environment, row))
  const urls = new Map(rows.map(({ id, url }) => [id, url]))
  return { index: indexWebhooks(compiled), count: rows.length, urls }
}
