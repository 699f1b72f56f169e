import { once } from 'node:events'
import { finished } from 'node:stream/promises'
import type pg from 'pg'
import { from } from 'pg-copy-streams'
import type { Tx } from '../../src/database/connect.ts'
import { type Session, withSession } from '../../src/database/session.ts'
import { transaction } from '../../src/database/transaction.ts'
import type { Actor } from '../../src/features/access/authenticate.ts'
import { createModel } from '../../src/features/models/commands.ts'
import { addWords } from '../../src/features/publications/list/learn.ts'
import { configurationOf } from '../../src/features/publications/list/words.ts'
import { settlePublished } from '../../src/features/publications/published.ts'
import { facetsOf, rowOf } from '../../src/features/publications/store/derive.ts'
import { loadStructure, type Structure } from '../../src/features/publications/structure.ts'
import type { Localized, Publication, StoredValue } from '../../src/features/publications/table.ts'
import type { BenchService } from '../service.ts'
import { dice, makeWords, zipf } from './words.ts'

export const locales = ['en-US', 'nl-NL']
const counts = { words: 30_000, tags: 200, channels: 10, models: 5, containers: 50 }
/** Only the oldest twentieth of the publications has it. */
export const oldTag = 'tag-old'

export const vocabulary = makeWords(counts.words, dice(1))
export const tagId = (place: number): string => `tag-${place}`

const indexes = [
  'publications_created_on',
  'publications_changed_on',
  'publications_publish_on',
  'publications_model',
  'publications_facets',
  'publication_locales_publish_on',
  'publication_locales_status',
  'publication_locales_search',
]

/** Fills the environment with so many publications, by the functions that writes use themselves. */
export const fill = async (service: BenchService, actor: Actor, rows: number): Promise<void> => {
  const { context, url, environment } = service
  await context.db.updateTable('environments').set({ locales, default_locale: locales[0]! }).execute()
  Object.assign(environment, { locales, default_locale: locales[0] })
  const models = await transaction(context, (tx) => addModels(tx, actor))
  const structure = await loadStructure(context.db, environment.id)
  await addWords(context.db, environment.id, vocabulary)
  await withSession(url, async (sql) => {
    const definitions = await sql<{ name: string; text: string }[]>`select indexrelid::regclass::text as name,
      pg_get_indexdef(indexrelid) as text from pg_index where indexrelid::regclass::text = any(${indexes})`
    for (const { name } of definitions) await sql.run(`drop index ${name}`)
    await addNames(sql, environment.id)
    const make = maker(actor, structure, models, await lexemesOf(sql), rows)
    await copyAll(url, make, rows)
    await sql.run("set maintenance_work_mem = '1GB'; set max_parallel_maintenance_workers = 2")
    for (const { name, text } of definitions) {
      const begun = Date.now()
      await sql.run(text)
      console.log(`  ${name} in ${Math.round((Date.now() - begun) / 1000)} s`)
    }
    await sql.run('vacuum analyze publications')
    await sql.run('vacuum analyze publication_locales')
    await sql.run('vacuum analyze vocabulary')
  })
}

const range = (count: number): number[] => Array.from({ length: count }, (_, index) => index)

const addModels = async (tx: Tx, actor: Actor): Promise<string[]> => {
  const fields = [
    { api_id: 'title', label: 'Text' as const },
    { api_id: 'body', label: 'Text' as const },
    { api_id: 'tags', label: 'TagBox' as const },
  ]
  const ids: string[] = []
  for (const n of range(counts.models))
    ids.push((await createModel(tx, actor, { body: `Model ${n}`, fields })).id)
  return ids
}

const addNames = async (sql: Session, environmentId: string): Promise<void> => {
  const tags = [...range(counts.tags).map(tagId), oldTag]
  await sql`insert into tags (environment_id, id, body, slug) select ${environmentId}, id, id, id from unnest(${tags}::text[]) id`
  for (const table of ['channels', 'containers'] as const) {
    const ids = range(counts[table]).map((n) => `${table}-${n}`)
    const column = table === 'channels' ? 'name' : 'body'
    await sql.client.query(
      `insert into ${table} (environment_id, id, ${column}, slug) select $1, id, id, id from unnest($2::text[]) id`,
      [environmentId, ids],
    )
  }
}

type Lexemes = Record<string, string[]>

/** What each word comes to in each locale; PostgreSQL is asked once per word. */
const lexemesOf = async (sql: Session): Promise<Lexemes> => {
  const found: Lexemes = {}
  for (const locale of locales) {
    const rows = await sql<
      { lexeme: string }[]
    >`select (tsvector_to_array(search_words(${configurationOf(locale)}::regconfig, word)))[1] as lexeme
      from unnest(${vocabulary}::text[]) with ordinality as sent (word, place) order by place`
    found[locale] = rows.map(({ lexeme }) => lexeme)
  }
  return found
}

type Lines = { publication: string; locales: string[] }

const maker = (actor: Actor, structure: Structure, models: string[], lexemes: Lexemes, rows: number) => {
  const random = dice(2)
  const word = zipf(counts.words, random)
  const tag = zipf(counts.tags, random)
  const whole = (below: number): number => Math.floor(random() * below)
  const done = structure.findStatus({ body: 'Done' })!.id
  const others = [...structure.statuses.keys()].filter((id) => id !== done)
  const begin = Date.now() - rows * 60_000
  const now = new Date()

  const value = (label: 'Text' | 'TagBox', at: string, more: object): StoredValue => ({
    label,
    id: `v${whole(1e9)}`,
    created_on: at,
    changed_on: null,
    ...more,
  })

  return (n: number): Lines => {
    const created_on = new Date(begin + n * 60_000)
    const at = created_on.toISOString()
    const id = `${created_on.getTime().toString(16).padStart(12, '0')}-${n}`
    const tags = [...new Set([tag(), tag(), tag()])].map((place) => ({ id: tagId(place) }))
    if (n < rows / 20 && random() < 0.2) tags.push({ id: oldTag })
    const status_id = random() < 0.8 ? done : others[whole(others.length)]!
    const publish_on = new Date(created_on.getTime() + (random() - 0.5) * 86_400_000).toISOString()
    const texts: Record<string, { title: number[]; body: number[] }> = {}
    const made = (locale: string): Localized => {
      const title = Array.from({ length: 3 + whole(5) }, word)
      const body = Array.from({ length: 150 + whole(150) }, word)
      texts[locale] = { title, body }
      const text = (places: number[]): string => places.map((place) => vocabulary[place]).join(' ')
      return {
        slug: `${locale}-${n}`,
        title: text(title),
        status_id,
        publish_on,
        expire_on: null,
        assigned_to: null,
        version: 1,
        published: false,
        expired: false,
        main: locale === locales[0],
        linked: true,
        items: {
          title: value('Text', at, { body: text(title), format: 'H1' }),
          body: value('Text', at, { body: `<p>${text(body)}</p>`, format: null }),
          tags: value('TagBox', at, { items: tags }),
        },
      }
    }
    const publication: Publication = {
      id,
      label: 'Publication',
      model_id: models[whole(models.length)]!,
      channel_ids: [`channels-${whole(counts.channels)}`],
      container_ids: random() < 0.2 ? [`containers-${whole(counts.containers)}`] : [],
      shared: {},
      locales: Object.fromEntries(locales.map((locale) => [locale, made(locale)])),
      version: 1,
      created_on,
      changed_on: random() < 0.3 ? new Date(created_on.getTime() + 3_600_000) : null,
      created_by: null,
      updated_by: null,
    }
    settlePublished(publication, done, now)
    const facets = facetsOf(actor.environment_id, publication, structure)
    const row = rowOf(publication, facets.all, { actor, structure, now })
    const words = (locale: string, places: number[]): string =>
      [...new Set(places.map((place) => lexemes[locale]![place]!))].join(' ')
    return {
      publication: line([
        row.environment_id,
        id,
        row.label,
        row.model_id,
        list(row.locales),
        json(row.state),
        json(row.items),
        list(row.channel_ids),
        list(row.container_ids),
        list(facets.all),
        row.publish_on,
        row.next_change,
        null,
        null,
        1,
        created_on,
        row.changed_on,
      ]),
      locales: locales.map((locale) => {
        const own = publication.locales[locale]!
        const { title, body } = texts[locale]!
        return line([
          row.environment_id,
          id,
          locale,
          row.model_id,
          own.slug,
          own.title,
          own.status_id,
          own.publish_on,
          null,
          list(facets.each[locale]!),
          words(locale, title),
          words(locale, [...title, ...body]),
          json(own.items),
        ])
      }),
    }
  }
}

const list = (values: string[]): string => `{${values.join()}}`
const json = (value: unknown): string => JSON.stringify(value).replaceAll('\\', '\\\\')
const line = (values: unknown[]): string =>
  `${values.map((value) => (value === null ? '\\N' : value instanceof Date ? value.toISOString() : String(value))).join('\t')}\n`

/** A publication and its locales together, so that the clock of the service never sees half of one. */
const copyAll = (url: string, make: (n: number) => Lines, rows: number): Promise<void> =>
  withSession(url, async ({ client }) => {
    await client.query('set session_replication_role = replica; set synchronous_commit = off')
    const begun = Date.now()
    const batch = 20_000
    for (let first = 0; first < rows; first += batch) {
      const made = range(Math.min(batch, rows - first)).map((n) => make(first + n))
      await client.query('begin')
      const publications = made.map(({ publication }) => publication)
      await copy(client, 'publications', columns.publications, publications)
      const content = made.flatMap((one) => one.locales)
      await copy(client, 'publication_locales', columns.locales, content)
      await client.query('commit')
      if ((first / batch) % 5 === 4)
        console.log(`  ${first + batch} after ${Math.round((Date.now() - begun) / 1000)} s`)
    }
  })

const columns = {
  publications:
    'environment_id, id, label, model_id, locales, state, items, channel_ids, container_ids, facets, publish_on, next_change, created_by, updated_by, version, created_on, changed_on',
  locales:
    'environment_id, id, locale, slug_scope, slug, title, status_id, publish_on, expire_on, facets, title_search, search, items',
}

const copy = async (client: pg.ClientBase, table: string, names: string, lines: string[]): Promise<void> => {
  const stream = (client as pg.Client).query(from(`copy ${table} (${names}) from stdin`))
  for (let at = 0; at < lines.length; at += 200)
    if (!stream.write(lines.slice(at, at + 200).join(''))) await once(stream, 'drain')
  stream.end()
  await finished(stream)
}
