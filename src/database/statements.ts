const sightings = 3
const most = 1000

/**
 * Begins a statement whose best plan depends on its values, such as how frequent a tag is: it is never prepared,
 * because PostgreSQL would soon plan it once for all of them.
 */
export const plannedAnew = '/* planned anew */'

/**
 * The name under which a statement stays prepared, once it is sent often enough. A connection never lets go of
 * one, and a caller can make up filters of ever new shapes: 2,000 of them, each sent once, left 105 MB in
 * PostgreSQL and 66 MB here.
 */
export const statementNames = () => {
  const names = new Map<string, string>()
  let seen = new Map<string, number>()
  return (text: string): string | undefined => {
    if (text.startsWith(plannedAnew)) return undefined
    const known = names.get(text)
    if (known !== undefined || names.size >= most) return known
    const count = (seen.get(text) ?? 0) + 1
    if (seen.size >= most) seen = new Map()
    seen.set(text, count)
    if (count < sightings) return undefined
    names.set(text, `marquee_${names.size}`)
    return names.get(text)
  }
}
