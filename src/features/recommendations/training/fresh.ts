import type { Session } from '../../../database/session.ts'
import { strengthOf } from '../model/events.ts'
import { weightOf } from '../model/gram.ts'
import { boundedStrength, halfLife } from '../model/matrix.ts'
import { halfLife as popularFor } from '../model/popularity.ts'

/** Of a publication that more persons came to, the newest speak for all. */
const mostPersons = 500
const mostEach = 200

type Row = { person_key: string; publication_id: string; label: keyof typeof strengthOf; age: number }
type Fresh = { companions: Map<number, number>; support: number; popularity: number }

/** What a publication goes together with as of now: its row of the gram, from the histories of its persons. */
export const freshRow = async (
  session: Session,
  environmentId: string,
  id: string,
  known: Map<string, number>,
): Promise<Fresh> => {
  const [{ count }] = await session<[{ count: string }]>`
    select count(distinct person_key) from interactions
    where environment_id = ${environmentId} and publication_id = ${id}`
  const rows = await session<Row[]>`
    select past.* from (
      select person_key from interactions where environment_id = ${environmentId} and publication_id = ${id}
      group by person_key order by max(created_on) desc limit ${mostPersons}
    ) person cross join lateral (
      select person_key, publication_id, label, extract(epoch from now() - created_on)::float8 as age
      from interactions where environment_id = ${environmentId} and person_key = person.person_key
      order by created_on desc limit ${mostEach}
    ) past`
  const persons = Map.groupBy(rows, ({ person_key }) => person_key)
  const scale = Number(count) / Math.max(1, persons.size)
  const companions = new Map<number, number>()
  let popularity = 0
  for (const own of persons.values()) {
    const liked = likings(own, known)
    const mine = liked.get(known.get(id)!) ?? 0
    const weight = mine * weightOf(Math.max(1, liked.size)) * scale
    for (const [number, value] of liked)
      companions.set(number, (companions.get(number) ?? 0) + weight * value)
    for (const { publication_id, label, age } of own)
      if (publication_id === id)
        popularity += (strengthOf[label] ?? 0) * 2 ** (-Math.max(0, age) / popularFor) * scale
  }
  return { companions, support: Number(count), popularity: Math.log1p(Math.max(0, popularity)) }
}

const likings = (own: Row[], known: Map<string, number>): Map<number, number> => {
  const sums = new Map<number, number>()
  for (const { publication_id, label, age } of own) {
    const number = known.get(publication_id)
    const strength = (strengthOf[label] ?? 0) * 2 ** (-Math.max(0, age) / halfLife)
    if (number !== undefined) sums.set(number, (sums.get(number) ?? 0) + strength)
  }
  return new Map(
    [...sums].filter(([, sum]) => sum > 0).map(([number, sum]) => [number, boundedStrength(sum)]),
  )
}
