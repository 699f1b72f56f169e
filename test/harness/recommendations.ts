import assert from 'node:assert/strict'
import { learnApart } from '../../src/features/recommendations/training/run.ts'
import { eventually } from './access.ts'
import type { TestApp } from './app.ts'
import { addPublication, type Loose, text } from './publications.ts'

const done = { 'en-US': { body: 'Done' } }

/** A publication that readers see. */
export const addPublished = async (app: TestApp, title: string, tags: string[] = []): Promise<string> => {
  const items = {
    'en-US': {
      title: text(title, 'H1'),
      ...(tags.length > 0 && { tags: { label: 'TagBox', items: tags.map((id) => ({ id })) } }),
    },
  }
  const { id } = await addPublication(app, items, { status: done })
  return id
}

/** What persons did, by the names that the caller's system has for them. */
export const interact = async (
  app: TestApp,
  publicationId: string,
  persons: readonly string[],
  more: object = { label: 'View' },
): Promise<void> => {
  const items = persons.map((reference_id) => ({ label: 'View', ...more, person: { reference_id } }))
  const answer = await app.post(`/publications/${publicationId}/interactions`, { items })
  assert.equal(answer.status, 202, answer.text)
}

/** Everything learned anew, as the service does beside requests. */
export const learn = (app: TestApp, kind: 'all' | 'touched' = 'all') =>
  learnApart({ url: app.databaseUrl, environmentId: app.environment.id, kind })

export const predicted = async (app: TestApp, id: string, query = '', options = {}): Promise<Loose> => {
  const answer = await app.get(`/recommendations/${id}/predict?${query}`, options)
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}

export const idsOf = (body: Loose): string[] => body.items.map((item: Loose) => item.id)

export const personId = async (app: TestApp, reference: string): Promise<string> => {
  const row = await app.context.db
    .selectFrom('persons')
    .select('id')
    .where('environment_id', '=', app.environment.id)
    .where('reference_id', '=', reference)
    .executeTakeFirstOrThrow()
  return row.id
}

/** Asks until the answer is as expected: nodes look for what was learned every other second. */
export const eventuallyPredicted = (
  app: TestApp,
  id: string,
  query: string,
  isExpected: (ids: string[], body: Loose) => boolean,
): Promise<Loose> =>
  eventually(async () => {
    const body = await predicted(app, id, query)
    return isExpected(idsOf(body), body) && body
  }, 20_000)
