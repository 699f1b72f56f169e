import assert from 'node:assert/strict'
import { sql } from 'kysely'
import type { Scope } from '../../../src/features/access/scopes.ts'
import { type Answer, startApp, type TestApp } from '../app.ts'

/** A kind of record, told by what the common checks need to know of it. */
export type RecordKind = {
  path: string
  label: string
  table: string
  /** The field that names a record. */
  text: 'name' | 'body'
  slug: boolean
  /** What a write must have besides the text. */
  extra?: Record<string, unknown>
  read: Scope[]
  write: Scope[]
  remove: Scope[]
  /** The same record as JSON and as form fields, with all its fields. */
  whole: { json: Record<string, unknown>; form: [string, string][] }
  /** Names of `fields` that show what the base body leaves out. */
  expandable?: string[]
  /** Fields that change by themselves after a write. */
  settling?: string[]
  /** A body that is wrong in every way, and the paths that must be named. */
  wrong: { body: Record<string, unknown>; paths: string[] }
  /** Further filters and the operators they take. */
  operators?: Record<string, string[]>
}

export const generations = ['', '/v5']
export const absent = '01890000-0000-7000-8000-000000000000'

export const sample = (kind: RecordKind, text: string, more: object = {}) => ({
  [kind.text]: text,
  ...kind.extra,
  ...more,
})

/** An environment without even the records that every environment begins with. */
export const startEmpty = async (kind: RecordKind): Promise<TestApp> => {
  const app = await startApp()
  await sql`delete from ${sql.table(kind.table)} where environment_id = ${app.environment.id}`.execute(
    app.context.db,
  )
  return app
}

// biome-ignore lint/suspicious/noExplicitAny: bodies of any shape are looked into
type Loose = Answer<any>

export const made = (answer: Loose): { id: string; slug: string; changed_on: string | null } => {
  assert.equal(answer.status, 201, answer.text)
  return answer.body
}

/** Paths of the errors, in order, of an answer that must be an error. */
export const faults = (answer: Loose, status = 400): string[] => {
  assert.equal(answer.status, status, answer.text)
  return (answer.body as { errors: { path: string }[] }).errors.map((error) => error.path).sort()
}

/** What was told about a record, in order, whether or not the dispatcher has taken it yet. */
export const eventsOf = async (app: TestApp, id: string): Promise<string[]> => {
  const { rows } = await sql<{ event: string }>`select event from (
      select event, 1 as part, id as place from outbox where record_id = ${id}
      union all select event, 0, sequence from events where record_id = ${id}) as told
    order by part, place`.execute(app.context.db)
  return rows.map((row) => row.event)
}
