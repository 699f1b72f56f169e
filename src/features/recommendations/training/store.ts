import type { Session } from '../../../database/session.ts'
import type { Section } from './sections.ts'

/** A row of this size is written and read without holding the whole twice. */
const part = 4_000_000

const lock = 7_236_513

export type ModelFacts = {
  publications: number
  interactions: number
  persons: number
  lambda: number
  seconds: number
}

/** Stores a model whole, as the newest generation; readers go on with the one before until it is all there. */
export const storeModel = async (
  session: Session,
  environmentId: string,
  facts: ModelFacts,
  sections: Section[],
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
