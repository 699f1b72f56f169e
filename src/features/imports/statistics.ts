import { sql } from 'kysely'
import type { Db } from '../../database/connect.ts'
import { importKinds } from './kinds.ts'

/**
 * Tells PostgreSQL of tables that have grown fourfold since it last looked. It plans, also what foreign keys look up,
 * by the size it knows: into an empty database 4000 persons took 112 s, and 12 s where it knew of the first 500.
 */
export const refreshStatistics = async (db: Db): Promise<void> => {
  const tables = Object.values(importKinds).flatMap((kind) => kind.tables)
  const { rows } = await sql<{ name: string }>`select relname as name from pg_class
    where relnamespace = 'public'::regnamespace and relname = any(${tables})
      and pg_relation_size(oid) > 4 * 8192 * greatest(relpages, 2)`.execute(db)
  if (rows.length > 0) await sql`analyze ${sql.join(rows.map(({ name }) => sql.table(name)))}`.execute(db)
}
