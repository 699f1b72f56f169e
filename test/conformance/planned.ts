import { endpoints } from './endpoints.ts'

/** What is still to come, by where it comes from. */
const open = endpoints.filter(({ state }) => state === 'planned')
const groups = Map.groupBy(open, ({ source }) => source)

for (const [source, items] of groups) {
  console.log(`${/^\d/.test(source) ? `Specification ${source}` : source}: ${items.length}`)
  for (const { method, path, generation, scopes, note } of items) {
    const address = `${generation === 'v5' ? '/v5' : ''}${path}`
    const needs = scopes === 'public' ? 'public' : scopes.join(', ') || 'any token'
    console.log(`  ${method.padEnd(6)} ${address.padEnd(52)} ${needs}${note ? ` (${note})` : ''}`)
  }
  console.log()
}
console.log(
  `${open.length} planned, ${endpoints.length - open.length} implemented, ${endpoints.length} in all`,
)
