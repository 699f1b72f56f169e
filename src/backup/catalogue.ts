import type { Session } from '../database/session.ts'
import type { Manifest } from './manifest.ts'

export type Table = { name: string; columns: string[]; partitioned: boolean; size: number }

/**
 * The tables of schema public, a partitioned one as a whole. Unlogged ones are left out: they may be empty
 * after any crash. Generated columns are worked out again.
 */
export const readTables = (sql: Session): Promise<Table[]> =>
  sql.run<Table[]>(`
    select c.relname as name, c.relkind = 'p' as partitioned,
      (select coalesce(sum(pg_relation_size(t.relid)), 0)::float8 from pg_partition_tree(c.oid) t where t.isleaf) as size,
      array(select a.attname::text from pg_attribute a
        where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
        order by a.attnum) as columns
    from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      and c.relpersistence = 'p' and ${notOfExtension}
    order by c.relname`)

export const readPartitions = (sql: Session): Promise<Manifest['partitions']> =>
  sql<Manifest['partitions']>`
    select c.relname as name, p.relname as of, pg_get_expr(c.relpartbound, c.oid) as bounds
    from pg_class c join pg_inherits i on i.inhrelid = c.oid join pg_class p on p.oid = i.inhparent
    where c.relnamespace = 'public'::regnamespace and c.relispartition and c.relkind = 'r'
    order by c.relname`

/** Read after the tables: a sequence only goes up, so its value is at least that of every row in the snapshot. */
export const readSequences = async (sql: Session): Promise<Manifest['sequences']> => {
  const names = await sql.run<{ name: string }[]>(`
    select c.relname as name from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'S' and ${notOfExtension} order by 1`)
  const read = async ({ name }: { name: string }) => {
    const [row] = await sql.run<{ value: string; called: boolean }[]>(
      `select last_value::text as value, is_called as called from ${quoted(name)}`,
    )
    return { name, ...row! }
  }
  return Promise.all(names.map(read))
}

export const notOfExtension = `not exists (select 1 from pg_depend d where d.classid = c.tableoid and d.objid = c.oid and d.deptype = 'e')`

export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`

export const columnList = (columns: string[]): string => columns.map(quoted).join(', ')
