import { randomUUIDv7 } from 'node:crypto'
import { sql } from 'kysely'
import type { Tx } from '../database/connect.ts'
import type { Actor } from '../features/access/authenticate.ts'
import { tags } from './harbour-fm.ts'
import { interactionDays, interactions, people } from './people.ts'

/** Written in blocks, past the interface: an audience is imported, not typed. */
const block = 500

export const seedPersons = async (tx: Tx, actor: Actor): Promise<number> => {
  const { environment_id, environment } = actor
  const wanted = people(tags, environment.created_on)
  const made = await tx
    .insertInto('persons')
    .values(
      wanted.map(({ tags: _tags, last_seen: _seen, ...person }) => ({
        ...person,
        environment_id,
        id: randomUUIDv7(),
        created_by: null,
      })),
    )
    .onConflict((on) => on.constraint('persons_reference_id_unique').doNothing())
    .returning(['key', 'reference_id'])
    .execute()
  if (made.length === 0) return 0
  await tagPersons(tx, environment_id, made, wanted)
  await seePersons(tx, environment_id, made, wanted)
  return made.length
}

const tagPersons = async (
  tx: Tx,
  environment_id: string,
  made: { key: string; reference_id: string | null }[],
  wanted: ReturnType<typeof people>,
): Promise<void> => {
  const keys = new Map(made.map(({ key, reference_id }) => [reference_id, key]))
  const rows = await tx
    .selectFrom('tags')
    .select(['id', 'body'])
    .where('environment_id', '=', environment_id)
    .execute()
  const ids = new Map(rows.map(({ id, body }) => [body, id]))
  const links = wanted.flatMap(({ reference_id, tags: chosen }) =>
    chosen.flatMap((body) => {
      const [person_key, tag_id] = [keys.get(reference_id), ids.get(body)]
      return person_key && tag_id ? [{ environment_id, person_key, tag_id }] : []
    }),
  )
  if (links.length > 0) await tx.insertInto('person_tags').values(links).execute()
}

const seePersons = async (
  tx: Tx,
  environment_id: string,
  made: { key: string; reference_id: string | null }[],
  wanted: ReturnType<typeof people>,
): Promise<void> => {
  const seen = new Map(wanted.map(({ reference_id, last_seen }) => [reference_id, last_seen]))
  await sql`update person_facts set last_seen = new.at
    from unnest(${made.map(({ key }) => key)}::bigint[],
      ${made.map(({ reference_id }) => seen.get(reference_id!) ?? null)}::timestamptz[]) as new (key, at)
    where environment_id = ${environment_id} and person_key = new.key`.execute(tx)
}

export const seedInteractions = async (tx: Tx, actor: Actor): Promise<number> => {
  const { environment_id, environment } = actor
  const until = environment.created_on
  // Months that lie before the first partition.
  await sql`select add_interactions_partition((${until}::timestamptz - make_interval(days => d))::date)
    from generate_series(0, ${interactionDays + 1}, 27) d`.execute(tx)
  const persons = await tx
    .selectFrom('persons')
    .select('key')
    .where('environment_id', '=', environment_id)
    .where('reference_id', 'like', 'demo-%')
    .orderBy('reference_id')
    .execute()
  const wanted = interactions(until)
  let made = 0
  for (let from = 0; from < wanted.length; from += block) {
    const rows = wanted.slice(from, from + block).flatMap(({ person, publication, ...interaction }) => {
      const key = persons[person]?.key
      return key
        ? [{ ...interaction, environment_id, person_key: key, publication_id: publication, value: null }]
        : []
    })
    if (rows.length === 0) continue
    const result = await tx
      .insertInto('interactions')
      .values(rows)
      .onConflict((on) => on.doNothing())
      .executeTakeFirst()
    made += Number(result.numInsertedOrUpdatedRows ?? 0)
  }
  return made
}
