import type { Session } from '../../../database/session.ts'
import type { Section } from './sections.ts'

/** A row of this size is written and read without holding the whole twice. */
const part = 4_000_000

const lock = 7_236_513
/** Held by whoever is learning everything of an environment. */
export const learningLock = 7_236_514

export type ModelFacts = {
  publications: number
  interactions: number
  persons: number
  lambda: number
  seconds: number
}

/** What was to be learned when learning began. */
export type Begun = {
  contentOn: string
  pending: string
  touched: { publication_id: string; times: number }[]
}

/**
 * Up to when everything that was written can be seen: a transaction that is still going on writes as of its beginning.
 * Very long ones are not waited for.
 */
export const seenUntil = async (session: Session): Promise<string> => {
  const [{ until }] = await session<[{ until: string }]>`
    select (least(now(), min(xact_start)) - interval '1 second')::text as until from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and xact_start > now() - interval '10 minutes'`
  return until
}

/** Stores a model whole, as the newest generation; readers go on with the one before until it is all there. */
export const storeModel = async (
  session: Session,
  environmentId: string,
  facts: ModelFacts,
  sections: Section[],
  { contentOn, pending, touched }: Begun,
): Promise<void> => {
  await session.run('begin')
  // Two that learned at the same time follow one another.
  await session`select pg_advisory_xact_lock(${lock}, hashtext(${environmentId}))`
  const { publications, interactions, persons, lambda, seconds } = facts
  const [{ generation }] = await session<[{ generation: string }]>`
    insert into recommendation_models
      (environment_id, generation, publications, interactions, persons, lambda, seconds)
    select ${environmentId}, coalesce(max(generation), 0) + 1, ${publications}, ${interactions}, ${persons},
      ${lambda}::real, ${seconds}::real
    from recommendation_models where environment_id = ${environmentId} returning generation`
  for (const { name, body } of sections)
    for (let number = 0; number === 0 || number * part < body.length; number++)
      await session`insert into recommendation_sections (environment_id, generation, name, number, body)
        values (${environmentId}, ${generation}, ${name}, ${number},
          ${body.subarray(number * part, (number + 1) * part)})`
  // The one before stays for nodes that are reading it.
  await session`delete from recommendation_models
    where environment_id = ${environmentId} and generation < ${Number(generation) - 1}`
  // Only now: what was broken off is still to be learned.
  await session`update recommendation_learning set pending = greatest(0, pending - ${pending}::bigint), attempts = 0,
    content_on = greatest(content_on, ${contentOn}::timestamptz) where environment_id = ${environmentId}`
  await session`delete from recommendation_touched known
    using unnest(${touched.map((one) => one.publication_id)}::text[], ${touched.map((one) => one.times)}::integer[])
      as learned (publication_id, times)
    where known.environment_id = ${environmentId} and known.publication_id = learned.publication_id
      and known.times = learned.times`
  await session.run('commit')
}

/** Sections of a generation whose names begin with one of these, put together. */
export const loadSections = async (
  session: Session,
  environmentId: string,
  generation: string,
  prefixes: string[],
): Promise<Map<string, Buffer>> => {
  const rows = await session<{ name: string; body: Buffer }[]>`
    select name, body from recommendation_sections
    where environment_id = ${environmentId} and generation = ${generation}
      and split_part(name, '.', 1) = any(${prefixes}::text[])
    order by name, number`
  const parts = Map.groupBy(rows, ({ name }) => name)
  return new Map([...parts].map(([name, list]) => [name, Buffer.concat(list.map(({ body }) => body))]))
}
