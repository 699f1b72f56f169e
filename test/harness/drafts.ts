import assert from 'node:assert/strict'
import type { Answer, TestApp } from './app.ts'
import type { Loose } from './publications.ts'

type Headers = Record<string, string>

export const draftOf = (id: string): string => `/publications/${id}?draft=true&fields=items`

export const saveDraft = async (app: TestApp, id: string, body: object, headers: Headers = {}) => {
  const answer = await app.put(draftOf(id), body, { headers })
  assert.equal(answer.status, 200, answer.text)
  return answer
}

export const readDraft = async (app: TestApp, id: string) => {
  const answer = await app.get(draftOf(id))
  assert.equal(answer.status, 200, answer.text)
  return answer
}

export const publish = (app: TestApp, id: string, body?: object, headers: Headers = {}) =>
  app.post(`/publications/${id}/publish?fields=items`, body, { headers })

export const published = async (app: TestApp, id: string, body?: object): Promise<Loose> => {
  const answer = await publish(app, id, body)
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}

export const en = (items: object) => ({ items: { 'en-US': items } })
export const nl = (items: object) => ({ items: { 'nl-NL': items } })

/** That what an answer showed is what the caller has seen. */
export const seen = ({ headers }: Pick<Answer, 'headers'>): Headers => ({ 'if-match': headers.get('etag')! })

/** api_id → body of texts. */
export const bodies = (items: Loose) =>
  Object.fromEntries(Object.entries<Loose>(items).map(([api_id, value]) => [api_id, value.body]))
