import type { Session } from '../database/session.ts'
import { notOfExtension, quoted } from './catalogue.ts'

/**
 * What is in schema public besides what extensions brought, tables before the sequences of their columns. The
 * job queue is made again by its own migrations.
 */
export const dropEverything = async (tx: Session): Promise<void> => {
  await tx.run('drop schema if exists graphile_worker cascade')
  const relations = await tx.run<{ statement: string }[]>(`
    select format('drop %s if exists public.%I cascade',
      case c.relkind when 'v' then 'view' when 'm' then 'materialized view' when 'S' then 'sequence' else 'table' end,
      c.relname) as statement
    from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v', 'm', 'S') and not c.relispartition
      and ${notOfExtension}
    order by c.relkind = 'S', c.relkind in ('v', 'm')`)
  const routines = await tx.run<{ statement: string }[]>(`
    select format('drop routine if exists %s cascade', c.oid::regprocedure) as statement
    from pg_proc c where c.pronamespace = 'public'::regnamespace and ${notOfExtension}`)
  const searches = await tx.run<{ statement: string }[]>(`
    select format('drop text search configuration if exists public.%I cascade', c.cfgname) as statement
    from pg_ts_config c where c.cfgnamespace = 'public'::regnamespace and ${notOfExtension}
    union all
    select format('drop text search dictionary if exists public.%I cascade', c.dictname)
    from pg_ts_dict c where c.dictnamespace = 'public'::regnamespace and ${notOfExtension}`)
  for (const { statement } of [...relations, ...routines, ...searches]) await tx.run(statement)
  const types = await tx.run<{ statement: string }[]>(`
    select format('drop type if exists public.%I cascade', c.typname) as statement
    from pg_type c where c.typnamespace = 'public'::regnamespace and c.typtype in ('e', 'd')
      and ${notOfExtension}`)
  for (const { statement } of types) await tx.run(statement)
}

type ForeignKey = { table: string; name: string; definition: string }

/** Without them the tables can be filled in any order; triggers would do again what the rows already show. */
export const takeForeignKeys = async (tx: Session): Promise<{ putBack(): Promise<void> }> => {
  const keys = await tx<ForeignKey[]>`
    select c.relname as table, k.conname as name, pg_get_constraintdef(k.oid) as definition
    from pg_constraint k join pg_class c on c.oid = k.conrelid
    where c.relnamespace = 'public'::regnamespace and k.contype = 'f' and k.conparentid = 0`
  const triggered = await tx<{ table: string }[]>`
    select distinct c.relname as table from pg_trigger t join pg_class c on c.oid = t.tgrelid
    where c.relnamespace = 'public'::regnamespace and not t.tgisinternal`
  for (const { table, name } of keys)
    await tx.run(`alter table ${quoted(table)} drop constraint ${quoted(name)}`)
  for (const { table } of triggered) await tx.run(`alter table ${quoted(table)} disable trigger user`)
  return {
    async putBack() {
      for (const { table } of triggered) await tx.run(`alter table ${quoted(table)} enable trigger user`)
      for (const { table, name, definition } of keys)
        await tx.run(`alter table ${quoted(table)} add constraint ${quoted(name)} ${definition}`)
    },
  }
}
