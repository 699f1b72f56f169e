import { type RawBuilder, sql } from 'kysely'
import type { Condition } from '../../../database/filters.ts'
import type { Circle } from '../../../database/operators.ts'
import { earth, metresBetween, type Place, rangesAround } from '../cells.ts'
import { placesOf } from '../store/places.ts'
import type { Atom } from './atoms.ts'

const double = (value: number): RawBuilder<unknown> => sql`${value}::double precision`

/** How far a place is from another; `metresBetween` says the same. */
export const metresTo = (
  { latitude, longitude }: Place,
  north: RawBuilder<unknown>,
  east: RawBuilder<unknown>,
): RawBuilder<number> => sql`${double(2 * earth)} * asin(sqrt(least(1,
    power(sin(radians(${north} - ${double(latitude)}) / 2), 2) + cos(radians(${double(latitude)}))
    * cos(radians(${north})) * power(sin(radians(${east} - ${double(longitude)}) / 2), 2))))`

const metresToPlace = (circle: Circle): RawBuilder<number> =>
  metresTo(circle, sql.ref('place.latitude'), sql.ref('place.longitude'))

const ofLocale = sql`place.environment_id = local.environment_id and place.id = local.id
  and place.locale = local.locale`

/** Half round the earth: nothing is farther. */
export const farthest = 20_037_600

/** Publications one of whose places is within the circle. The index finds the cells, which hold a little more. */
export const nearAtom = (circle: Circle): Atom => ({
  of: 'locale',
  local: sql`exists (select 1 from publication_places as place
    where ${ofLocale}${circle.metres >= farthest ? sql`` : sql` and ${within(circle)}`})`,
  test: ({ locales }, locale) =>
    placesOf(locales[locale]!.items).some((place) => metresBetween(place, circle) <= circle.metres),
})

const within = (circle: Circle): Condition => {
  const ranges = rangesAround(circle).map(
    ([first, last]) => sql`place.cell between ${first}::bigint and ${last}::bigint`,
  )
  return sql`(${sql.join(ranges, sql` or `)}) and ${metresToPlace(circle)} <= ${double(circle.metres)}`
}

/** How far the nearest place of a publication is. */
export const nearest = (circle: Circle): RawBuilder<number> =>
  sql`(select min(${metresToPlace(circle)}) from publication_places as place where ${ofLocale})`
