import { randomUUIDv7 } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '../../../database/connect.ts'
import { translate } from '../../../database/errors.ts'
import { json } from '../../../database/json.ts'
import { Unavailable } from '../../../errors.ts'
import { delayAfter } from './pace.ts'
import type { Polled } from './poll.ts'

/**
 * Writes down what polls came to, in one statement. Where a source was deleted, or leads elsewhere since, nothing is
 * written of it. Gives the environments that have new items.
 */
export const writePolled = async (db: Db, polled: Polled[]): Promise<string[]> => {
  const items = polled.flatMap(({ environment_id, id, items }) =>
    items.map((item) => ({ ...item, id: randomUUIDv7(), environment_id, source_id: id })),
  )
  const { rows } = await sql<{ environment_id: string }>`
    with made as materialized (${madeRows(polled)}), polled as (
      update source_polls as poll set
        next_fetch_on = case when poll.next_fetch_on is not null then now() + make_interval(secs => made.delay) end,
        interval = made.interval, frequency = made.frequency, failed = made.failed, error = made.error,
        fetched_on = case when made.fetched then now() else poll.fetched_on end,
        last_import = case when made.imported then now() else poll.last_import end,
        address = coalesce(made.address, poll.address),
        etag = case when made.content_hash is null then poll.etag else made.etag end,
        last_modified = case when made.content_hash is null then poll.last_modified else made.last_modified end,
        content_hash = coalesce(decode(made.content_hash, 'hex'), poll.content_hash),
        cursor = coalesce(made.cursor, poll.cursor),
        seen = coalesce(decode(made.seen, 'hex'), poll.seen)
      from made where poll.environment_id = made.environment_id and poll.id = made.id
        and poll.generation = made.generation
      returning poll.environment_id, poll.id
    ), found as (
      update sources as source set account_id = made.account_id, url = coalesce(source.url, made.url),
        picture = coalesce(source.picture, made.picture)
      from made join polled using (environment_id, id)
      where source.environment_id = made.environment_id and source.id = made.id and made.account_id is not null
    ), added as (
      insert into source_items (environment_id, id, source_id, key, title, body, url, author, image_url,
        published_on, reference_id, words)
      select item.environment_id, item.id, item.source_id, decode(item.key, 'hex'), item.title, item.body, item.url,
        item.author, item.image_url, to_timestamp(item.published_on / 1000.0), item.reference_id, item.words
      from jsonb_to_recordset(${json(items)}) as item (environment_id text, id text, source_id text, key text,
        title text, body text, url text, author text, image_url text, published_on double precision,
        reference_id text, words text)
      join polled on polled.environment_id = item.environment_id and polled.id = item.source_id
      on conflict do nothing returning environment_id
    )
    select distinct environment_id from added`.execute(db)
  return rows.map(({ environment_id }) => environment_id)
}

type Write = (polled: Polled[]) => Promise<string[]>

/** Together, or, where the database refuses one of them, each by itself; what it refuses alone has failed. */
export const writeSafely = async (
  write: Write,
  polled: Polled[],
  onError: (error: unknown) => void,
): Promise<string[]> => {
  try {
    return await write(polled)
  } catch (error) {
    if (translate(error) instanceof Unavailable) throw error
    if (polled.length > 1) {
      const environments: string[] = []
      for (const one of polled) environments.push(...(await writeSafely(write, [one], onError)))
      return environments
    }
    onError(error)
    await write(polled.map(refused)).catch(onError)
    return []
  }
}

const refused = (one: Polled): Polled => ({
  ...one,
  ...{ failed: one.failed + 1, error: 'What it brought could not be stored', imported: false },
  ...{ state: {}, seen: null, account: null, items: [], delay: delayAfter(one.interval, one.failed + 1) },
})

const madeRows = (polled: Polled[]) => {
  const rows = polled.map(({ items: _items, state, account, ...rest }) => ({ ...rest, ...state, ...account }))
  return sql`select * from jsonb_to_recordset(${json(rows)}) as one (environment_id text, id text, generation integer,
    delay double precision, interval integer, frequency integer, failed integer, error text, fetched boolean,
    imported boolean, address text, etag text, last_modified text, content_hash text, cursor text, seen text,
    account_id text, url text, picture text)`
}
