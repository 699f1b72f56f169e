import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { startApp, type TestApp } from './app.ts'
import { addPublication } from './publications.ts'

export const scopes = ['interactions_publish']
type Stored = {
  id: string
  created_on: Date
  publication_id: string
  person_key: string
  label: string
  value: number | null
  recommendation_id: string | null
  xmin: string
}

export const stored = async (app: TestApp): Promise<Stored[]> =>
  (
    await sql<Stored>`select *, xmin::text from interactions where environment_id = ${app.environment.id}
      order by created_on, id`.execute(app.context.db)
  ).rows

/** A publication, and how interactions with it are posted. */
/** Counts are looked at as they are, not as they were up to 5 s ago. */
export const setUp = async () => {
  const app = await startApp({ MARQUEE_CACHE_MB: '0' })
  const { id } = await addPublication(app)
  const url = `/publications/${id}/interactions`
  return { app, id, url, send: (body: unknown, options = {}) => app.post(url, body, { scopes, ...options }) }
}

/** Until everything that was committed is folded. */
export const folded = async (app: TestApp): Promise<void> => {
  for (const until = Date.now() + 10_000; Date.now() < until; await sleep(20)) {
    const { rows } =
      await sql`select 1 from audience_deltas where environment_id = ${app.environment.id}`.execute(
        app.context.db,
      )
    if (rows.length === 0) return
  }
  assert.fail('deltas were not folded within 10 s')
}
