/**
 * The same in an order in which no more than `most` with the same tag follow one another, as far as there are others:
 * each place goes to the best that fits.
 */
export const diversified = <T>(
  ranked: readonly T[],
  tagsOf: (one: T) => readonly string[],
  most: number,
  places: number,
): T[] => {
  if (most === 0) return [...ranked]
  const waiting = [...ranked]
  const known = new Map<T, readonly string[]>()
  const tagsOnce = (one: T): readonly string[] => {
    const tags = known.get(one) ?? tagsOf(one)
    known.set(one, tags)
    return tags
  }
  const placed: T[] = []
  const runs = new Map<string, number>()
  const isTooMuch = (one: T): boolean => tagsOnce(one).some((tag) => (runs.get(tag) ?? 0) >= most)
  while (waiting.length > 0 && placed.length < places) {
    const fits = waiting.findIndex((one) => !isTooMuch(one))
    const [next] = waiting.splice(Math.max(0, fits), 1)
    placed.push(next!)
    const tags = new Set(tagsOnce(next!))
    for (const tag of runs.keys()) if (!tags.has(tag)) runs.delete(tag)
    for (const tag of tags) runs.set(tag, (runs.get(tag) ?? 0) + 1)
  }
  return [...placed, ...waiting]
}
