import type postgres from 'postgres'

type Types = {
  fetch_types: boolean
  parsers: Record<number, unknown>
  serializers: Record<number, unknown>
  shared: { typeArrayMap: Record<number, number> }
}

const text = 25

let known: Types | undefined

/**
 * postgres.js asks for the array types on every new connection, and nothing catches it when that very
 * connection is lost: the process would end. So it asks until it knows them, once for all pools.
 */
export const shareArrayTypes = (sql: postgres.Sql): postgres.Sql => {
  const types = sql.options as unknown as Types
  if (!types.fetch_types) return sql
  if (types.shared.typeArrayMap[text] !== undefined) known ??= types
  if (!known) return sql
  types.fetch_types = false
  if (types === known) return sql
  for (const name of ['parsers', 'serializers'] as const) Object.assign(types[name], known[name])
  Object.assign(types.shared.typeArrayMap, known.shared.typeArrayMap)
  return sql
}
