import { sql } from 'kysely'
import type { Context } from '../../context.ts'
import { isoDate, isoDateOrNull } from '../../dates.ts'
import type { Actor } from '../access/authenticate.ts'
import { holds } from '../access/scopes.ts'
import { facet } from '../publications/facets.ts'
import type { PublicationRow } from '../publications/table.ts'

const most = 100

/** Where an asset is used, as far as the token may read it: the newest of each kind, and how many there are. */
export const usageOf = async ({ db }: Context, actor: Actor, id: string) => {
  const [publications, persons] = await Promise.all([
    holds(actor.token.scopes, 'publications') ? publicationsWith(db, actor, id) : none,
    holds(actor.token.scopes, 'persons') ? personsWith(db, actor, id) : none,
  ])
  return { total: publications.total + persons.total, publications, persons }
}

const none = { total: 0, items: [] as object[] }

const publicationsWith = async (
  db: Context['db'],
  { environment_id, environment, token }: Actor,
  id: string,
) => {
  const seen =
    token.visibility === 'published'
      ? sql`and facets @> array[${facet(environment_id, 'published')}::bigint]`
      : sql``
  const { rows } = await sql<PublicationRow & { total: number }>`
    select *, (count(*) over ())::integer as total from publications where environment_id = ${environment_id}
      and facets @> array[${facet(environment_id, 'reference', id)}::bigint] ${seen}
    order by created_on desc, id desc limit ${most}`.execute(db)
  const titleOf = ({ locales, state }: PublicationRow): string | null => {
    const shown = locales.filter((locale) => token.visibility !== 'published' || state[locale]!.published)
    const titled = [environment.default_locale, ...shown].find(
      (locale) => shown.includes(locale) && state[locale]!.title,
    )
    return titled ? state[titled]!.title : null
  }
  const items = rows.map((row) => ({
    id: row.id,
    created_on: isoDate(row.created_on),
    changed_on: isoDateOrNull(row.changed_on),
    label: row.label,
    title: titleOf(row),
  }))
  return { total: rows[0]?.total ?? 0, items }
}

const personsWith = async (db: Context['db'], { environment_id }: Actor, id: string) => {
  type Row = { id: string; created_on: Date; changed_on: Date | null; total: number }
  const { rows } = await sql<Row>`select id, created_on, changed_on, (count(*) over ())::integer as total
    from persons where environment_id = ${environment_id} and picture_id = ${id}
    order by created_on desc, id desc limit ${most}`.execute(db)
  const items = rows.map((row) => ({
    id: row.id,
    created_on: isoDate(row.created_on),
    changed_on: isoDateOrNull(row.changed_on),
    label: 'Person',
  }))
  return { total: rows[0]?.total ?? 0, items }
}
