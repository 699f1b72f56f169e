import { type RawBuilder, sql } from 'kysely'
import type { Condition } from '../../../database/filters.ts'
import type { Circle } from '../../../database/operators.ts'
import { metresBetween, type Place, rangesAround } from '../cells.ts'
import { placesOf } from '../store/places.ts'
import type { Atom } from './atoms.ts'

const double = (value: number): RawBuilder<unknown> => sql`${value}::double precision`

/** How far a place is from another; `metresBetween` says the same. */
export const metresTo = (
  { latitude, longitude }: Place,
  north: RawBuilder<unknown>,
  east: RawBuilder<unknown>,
): RawBuilder<number> => sql`metres_between(${north}, ${east}, ${latitude}, ${longitude})`

const metresToPlace = (circle: Circle): RawBuilder<number> =>
  metresTo(circle, sql.ref('place.latitude'), sql.ref('place.longitude'))

const ofLocale = sql`place.environment_id = local.environment_id and place.id = local.id
  and place.locale = local.locale`

/** Half round the earth: nothing is farther. */
export const farthest = 20_037_600

/** Publications one of whose places is within the circle. */
export const nearAtom = (environmentId: string, circle: Circle): Atom => ({
  of: 'locale',
  local:
    circle.metres >= farthest
      ? sql`exists (select 1 from publication_places as place where ${ofLocale})`
      : sql`(local.id, local.locale) in (${placesIn(environmentId, circle)})`,
  test: ({ locales }, locale) =>
    placesOf(locales[locale]!.items).some((place) => metresBetween(place, circle) <= circle.metres),
})

/**
 * The index finds the cells, which hold a little more than the circle. Each range is asked for by itself: ranges joined by
 * `or` make PostgreSQL read the table, too, although the index has all there is to know.
 */
const placesIn = (environmentId: string, circle: Circle): Condition => {
  const ranges = rangesAround(circle).map(
    ([first, last]) => sql`select place.id, place.locale from publication_places as place
      where place.environment_id = ${environmentId} and place.cell between ${first}::bigint and ${last}::bigint
        and ${metresToPlace(circle)} <= ${double(circle.metres)}`,
  )
  return sql.join(ranges, sql` union all `)
}

/** How far the nearest place of a publication is. */
export const nearest = (circle: Circle): RawBuilder<number> =>
  sql`(select min(${metresToPlace(circle)}) from publication_places as place where ${ofLocale})`
