import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { startApp } from './harness/app.ts'

/** Tables that are looked up before the environment is known, or that belong to no environment alone. */
const above = ['tokens', 'mailbox', 'outbox', 'events']

test('every table of an environment begins its primary key with environment_id', async () => {
  const { context } = await startApp()
  const { rows } = await sql<{ table: string; first: string | null }>`
    select c.relname as table, (
      select a.attname from pg_index i join pg_attribute a on a.attrelid = c.oid and a.attnum = i.indkey[0]
      where i.indrelid = c.oid and i.indisprimary) as first
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = 'public' and c.relkind in ('r', 'p') and not c.relispartition
      and exists (select 1 from pg_attribute a where a.attrelid = c.oid and a.attname = 'environment_id')`.execute(
    context.db,
  )
  assert.ok(rows.length >= 10)
  const wrong = rows.filter(({ table, first }) => first !== 'environment_id' && !above.includes(table))
  assert.deepEqual(wrong, [])
})

test('every foreign key between tables of an environment carries environment_id', async () => {
  const { context } = await startApp()
  const { rows } = await sql<{ name: string; columns: string[] }>`
    select k.conname as name, array_agg(a.attname::text) as columns
    from pg_constraint k
    join pg_attribute a on a.attrelid = k.conrelid and a.attnum = any (k.conkey)
    where k.contype = 'f' and k.conparentid = 0
      and exists (select 1 from pg_attribute f where f.attrelid = k.confrelid and f.attname = 'environment_id')
      and exists (select 1 from pg_attribute f where f.attrelid = k.conrelid and f.attname = 'environment_id')
    group by k.oid, k.conname`.execute(context.db)
  assert.ok(rows.length >= 4)
  assert.deepEqual(
    rows.filter(({ columns }) => !columns.includes('environment_id')),
    [],
  )
})
