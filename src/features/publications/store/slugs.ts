import { sql } from 'kysely'
import type { Tx } from '../../../database/connect.ts'
import { firstFree, slugify } from '../../../database/slugs.ts'
import { Conflict } from '../../../errors.ts'
import { isOfV5 } from '../linked.ts'
import type { Publication } from '../table.ts'

/** Within it a slug is unique in its locale. Records of version 5 have their label and stand in a channel. */
export const slugScopeOf = (publication: Publication): string =>
  publication.model_id ?? (isOfV5(publication) ? `channel ${publication.channel_ids[0] ?? ''}` : '')

/** Where every slug that might be ours stands in line: two writers of one title then get two numbers. */
type Wanted = { locale: string; slug: string; sent: boolean }

/**
 * Gives each linked locale without a slug one made from its title, with a number where it is taken, and refuses
 * those that were sent and are taken. Whoever wants the same slug waits for the other's commit.
 */
export const settleSlugs = async (
  tx: Tx,
  environmentId: string,
  publication: Publication,
  sent: Record<string, string>,
  before: Publication | null,
): Promise<void> => {
  const scope = slugScopeOf(publication)
  const moved = before !== null && slugScopeOf(before) !== scope
  const wanted = Object.entries(publication.locales)
    .filter(([, { linked }]) => linked)
    .filter(
      ([locale, { slug }]) =>
        slug === null || moved || !before?.locales[locale]?.linked || slug !== before.locales[locale]!.slug,
    )
    .map(
      ([locale, { slug, title }]): Wanted => ({
        locale,
        slug: slug ?? slugify(title ?? ''),
        sent: sent[locale] === slug,
      }),
    )
  if (wanted.length === 0) return
  const place = { environmentId, scope, id: publication.id }
  const candidates = wanted.flatMap(({ locale, slug, sent: own }) =>
    own ? [{ locale, slug }] : numbers(locale, slug),
  )
  // Sent together: what is taken is looked up behind the line, and sees what it was waited for.
  const [, taken] = await Promise.all([standInLine(tx, place, wanted), takenOf(tx, place, candidates)])
  const refused = wanted.filter(({ locale, slug, sent: own }) => own && taken.has(`${locale} ${slug}`))
  if (refused.length > 0)
    throw new Conflict(refused.map(({ locale }) => ({ path: `slug.${locale}`, message: 'is already taken' })))
  for (const { locale, slug, sent: own } of wanted)
    publication.locales[locale]!.slug = own ? slug : await freeSlug(tx, place, locale, slug, taken)
}

type Place = { environmentId: string; scope: string; id: string }
type Slug = { locale: string; slug: string }

const few = 20
const numbers = (locale: string, slug: string): Slug[] =>
  Array.from({ length: few }, (_, index) => ({ locale, slug: index === 0 ? slug : `${slug}-${index + 1}` }))

const lineOf = ({ environmentId, scope }: Place, { locale, slug }: Slug): string =>
  `publication slug ${environmentId} ${scope} ${locale} ${slug}`

const standInLine = async (tx: Tx, place: Place, wanted: Slug[]): Promise<void> => {
  const lines = wanted.map((slug) => lineOf(place, slug))
  // In one order everywhere, so that nobody waits for each other.
  await sql`select pg_advisory_xact_lock(key) from (select hashtextextended(line, 0) as key
    from unnest(${lines.sort()}::text[]) as line order by 1) as keys`.execute(tx)
}

/** By the index of slugs alone, also before PostgreSQL has counted anything: a join was planned as a scan then. */
const takenOf = async (tx: Tx, { environmentId, scope, id }: Place, slugs: Slug[]): Promise<Set<string>> => {
  const locales = [...new Set(slugs.map(({ locale }) => locale))]
  const { rows } = await sql<Slug>`select locale, slug from publication_locales
    where environment_id = ${environmentId} and locale = any(${locales}::text[])
      and slug = any(${slugs.map(({ slug }) => slug)}::text[]) and slug_scope = ${scope} and id <> ${id}`.execute(
    tx,
  )
  return new Set(rows.map(({ locale, slug }) => `${locale} ${slug}`))
}

/** The slug itself, for which we stood in line, or the first number behind it that nobody else is after. */
const freeSlug = async (
  tx: Tx,
  place: Place,
  locale: string,
  slug: string,
  taken: Set<string>,
): Promise<string> => {
  if (!taken.has(`${locale} ${slug}`)) return slug
  const few = numbers(locale, slug)
  for (;;) {
    const free = few.find((one) => !taken.has(`${locale} ${one.slug}`))
    const found = free ?? { locale, slug: await findFurther(tx, place, locale, slug, taken) }
    if (await claim(tx, place, found)) return found.slug
    taken.add(`${locale} ${found.slug}`)
  }
}

/** `news-2` is also what the title "News 2" gives: who writes that stands in a line of its own. Nobody waits here. */
const claim = async (tx: Tx, place: Place, slug: Slug): Promise<boolean> => {
  const line = lineOf(place, slug)
  const [locked, taken] = await Promise.all([
    sql<{ ours: boolean }>`select pg_try_advisory_xact_lock(hashtextextended(${line}, 0)) as ours`.execute(
      tx,
    ),
    takenOf(tx, place, [slug]),
  ])
  return locked.rows[0]!.ours && taken.size === 0
}

const findFurther = (
  tx: Tx,
  place: Place,
  locale: string,
  slug: string,
  taken: Set<string>,
): Promise<string> =>
  firstFree(slug, async (candidates) => {
    const found = await takenOf(
      tx,
      place,
      candidates.map((candidate) => ({ locale, slug: candidate })),
    )
    const isTaken = (name: string) => found.has(name) || taken.has(name)
    return new Set(candidates.filter((candidate) => isTaken(`${locale} ${candidate}`)))
  })
