import assert from 'node:assert/strict'
import { formOf, urlencoded } from '../http/forms.ts'
import type { Answer, Call, TestApp } from './app.ts'
import { made } from './records/kind.ts'

// biome-ignore lint/suspicious/noExplicitAny: bodies of any shape are looked into
export type Loose = any
type Items = Record<string, Record<string, unknown> | null>

export const text = (body: string, format: string | null = null) => ({ label: 'Text', body, format })

/** A publication made over HTTP, linked to the locales of its items. The answer shows its items too. */
export const addPublication = async (
  app: TestApp,
  items: Items = { 'en-US': { title: text('Untitled') } },
  more: object = {},
  call: Call = {},
): Promise<Loose> => made(await app.post('/publications?fields=items', bodyOf(items, more), call as never))

export const bodyOf = (items: Items, more: object = {}) => ({
  label: 'Publication',
  locales: Object.keys(items),
  items,
  ...more,
})

/** The single read, with everything that `fields` names. */
export const readPublication = async (app: TestApp, id: string, query = 'fields=items', call: Call = {}) => {
  const answer = await app.get(`/publications/${id}?${query}`, call)
  assert.equal(answer.status, 200, answer.text)
  return answer.body as Loose
}

export const changePublication = async (app: TestApp, id: string, body: object, call: Call = {}) => {
  const answer = await app.put(`/publications/${id}?fields=items`, body, call)
  assert.equal(answer.status, 200, answer.text)
  return answer.body as Loose
}

/** The part of an ETag that tells the version of the record. */
export const versionOf = (answer: Pick<Answer, 'headers'>): number =>
  Number(/^"(\d+)-/.exec(answer.headers.get('etag') ?? '')?.[1])

/** Every stored version of a publication, oldest first. */
export const storedVersions = async (app: TestApp, id: string) =>
  app.context.db
    .selectFrom('publication_versions')
    .selectAll()
    .where('publication_id', '=', id)
    .orderBy('version')
    .execute()

type Pairs = [string, string][]

/** What a form sends for a JSON value: names in brackets, and nothing for null and for empty lists. */
export const pairsOf = (value: unknown, name = ''): Pairs => {
  if (typeof value !== 'object' || value === null) return [[name, value === null ? '' : String(value)]]
  const entries = Object.entries(value)
  if (entries.length === 0) return [[name, '']]
  return entries.flatMap(([key, inner]) => pairsOf(inner, name === '' ? key : `${name}[${key}]`))
}

/** The three ways in which a body can be sent. */
export const encodings: Record<string, (body: object) => Call> = {
  JSON: (body) => ({ body }),
  urlencoded: (body) => urlencoded(new URLSearchParams(pairsOf(body)).toString()),
  multipart: (body) => ({ raw: formOf(pairsOf(body)) }),
}

/** Gives the environment these locales, the first of them its default. */
export const setLocales = async (app: TestApp, locales: string[]): Promise<void> => {
  const answer = await app.put(`/environments/${app.environment.id}`, { locales, default_locale: locales[0] })
  assert.equal(answer.status, 200, answer.text)
}

/** So many locale codes, none of them twice. */
export const manyLocales = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => {
    const letters = `${String.fromCharCode(97 + (index % 26))}${String.fromCharCode(97 + Math.floor(index / 26))}`
    return `${letters}-${letters.toUpperCase()}`
  })

/** A token that sees only what is published. */
export const readerToken = async (app: TestApp): Promise<string> =>
  (await app.addToken({ scopes: ['publications'], visibility: 'published' })).value

/** A few at a time: server and test share a process, and a busy machine answers many at once with 503. */
export const inTurns = async <T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> => {
  const waiting = items.values()
  const turn = async () => {
    for (const item of waiting) await work(item)
  }
  await Promise.all(Array.from({ length: 5 }, turn))
}
