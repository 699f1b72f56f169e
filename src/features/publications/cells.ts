import type { Circle } from '../../database/operators.ts'

export type Place = { latitude: number; longitude: number }

/** The earth is parted into 2^26 rows and columns: cells of less than a metre. */
const bits = 26
const parts = 2 ** bits

const rowOf = (latitude: number): number => Math.min(parts - 1, Math.floor(((latitude + 90) / 180) * parts))
const columnOf = (longitude: number): number =>
  Math.min(parts - 1, Math.floor(((longitude + 180) / 360) * parts))

/** The bits of row and column in turn, so that a square of 2^n by 2^n cells is one range of numbers. */
const interleaved = (row: number, column: number): number => {
  let number = 0
  for (let bit = bits - 1; bit >= 0; bit -= 1)
    number = number * 4 + ((row >> bit) & 1) * 2 + ((column >> bit) & 1)
  return number
}

export const cellOf = ({ latitude, longitude }: Place): number =>
  interleaved(rowOf(latitude), columnOf(longitude))

export const earth = 6_371_008.8
const degreesOf = (metres: number): number => (metres / earth) * (180 / Math.PI)

/** From the first number up to and including the last. */
export type Range = [first: number, last: number]

/** Fewer squares would hold much that is too far, more would make the statement longer than its work. */
const mostSquares = 12

/** Ranges of cells that hold everything within the circle, and little besides. */
export const rangesAround = ({ latitude, longitude, metres }: Circle): Range[] => {
  // Rounding must not leave out what is right on the edge.
  const high = degreesOf(metres) + 1e-6
  const [south, north] = [Math.max(-90, latitude - high), Math.min(90, latitude + high)]
  const wide = widthOf(latitude, metres)
  if (wide >= 180) return joined(squaresIn(south, north, -180, 180))
  const [west, east] = [longitude - wide, longitude + wide]
  const pieces: Range[] =
    west < -180
      ? [
          [-180, east],
          [west + 360, 180],
        ]
      : east > 180
        ? [
            [west, 180],
            [-180, east - 360],
          ]
        : [[west, east]]
  return joined(pieces.flatMap(([from, to]) => squaresIn(south, north, from, to)))
}

/** How many degrees of longitude a circle reaches to either side, at most: beyond a pole it is all round. */
const widthOf = (latitude: number, metres: number): number => {
  const angle = metres / earth
  const reach = Math.sin(Math.min(angle, Math.PI / 2)) / Math.cos((latitude * Math.PI) / 180)
  return angle >= Math.PI / 2 || Math.abs(reach) >= 1 ? 180 : (Math.asin(reach) * 180) / Math.PI + 1e-6
}

const squaresIn = (south: number, north: number, west: number, east: number): Range[] => {
  const [bottom, top, left, right] = [rowOf(south), rowOf(north), columnOf(west), columnOf(east)]
  let shift = 0
  const count = (): number =>
    ((top >> shift) - (bottom >> shift) + 1) * ((right >> shift) - (left >> shift) + 1)
  while (count() > mostSquares) shift += 1
  const size = 4 ** shift
  const found: Range[] = []
  for (let row = bottom >> shift; row <= top >> shift; row += 1)
    for (let column = left >> shift; column <= right >> shift; column += 1) {
      const first = interleaved(row << shift, column << shift)
      found.push([first, first + size - 1])
    }
  return found
}

/** Squares that follow on one another are one range. */
const joined = (ranges: Range[]): Range[] => {
  const result: Range[] = []
  for (const [first, last] of ranges.sort(([one], [other]) => one - other)) {
    const previous = result.at(-1)
    if (previous && first <= previous[1] + 1) previous[1] = Math.max(previous[1], last)
    else result.push([first, last])
  }
  return result
}

const radians = (degrees: number): number => (degrees * Math.PI) / 180

/** The haversine, written as the database has it, so that they agree to the last metre. */
export const metresBetween = (one: Place, other: Place): number => {
  const a = Math.sin(radians(one.latitude - other.latitude) / 2) ** 2
  const b = Math.sin(radians(one.longitude - other.longitude) / 2) ** 2
  const sum = a + Math.cos(radians(other.latitude)) * Math.cos(radians(one.latitude)) * b
  return 2 * earth * Math.asin(Math.sqrt(Math.min(1, sum)))
}
