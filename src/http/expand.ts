import type { TSchema } from 'typebox'
import type { Db } from '../database/connect.ts'
import { type FieldError, Invalid } from '../errors.ts'
import type { Actor } from '../features/access/authenticate.ts'
import { pick, type Selection } from './fields.ts'

/** One name of `fields`: how it is read for a whole page in one query, and what it looks like. */
export type Expansion<Row> = {
  schema: TSchema
  /** Names that braces may hold, or a check where they are not known beforehand. */
  inner?: readonly string[] | ((selection: Selection) => FieldError[])
  /** What the braces name is chosen while loading, not afterwards. */
  selects?: true
  load(db: Db, actor: Actor, rows: Row[], inner: Selection): Promise<(row: Row) => unknown>
}
export type Expansions<Row> = Record<string, Expansion<Row>>

/** A column of the row itself that the base body leaves out. */
export const column = <Row>(name: keyof Row & string, schema: TSchema): Expansion<Row> => ({
  schema,
  load: async () => (row) => row[name],
})

export const checkSelection = (selection: Selection, expansions: Expansions<never>, base: TSchema): void => {
  const own = new Set(Object.keys((base as { properties?: object }).properties ?? {}))
  const problems = [...selection].flatMap(([name, inner]) => {
    const expansion = Object.hasOwn(expansions, name) ? expansions[name] : undefined
    if (!expansion && !own.has(name))
      return [
        {
          path: 'fields',
          message: `"${name}" is not one of ${[...new Set([...own, ...Object.keys(expansions)])].join(', ')}`,
        },
      ]
    const known = expansion?.inner ?? []
    return typeof known === 'function'
      ? known(inner)
      : strangers(name, inner, known, (expansion?.schema ?? {}) as Shape)
  })
  if (problems.length > 0) throw new Invalid(problems)
}

type Shape = { properties?: Record<string, Shape> }

/** Names in braces that nothing has, at any level. */
const strangers = (
  owner: string,
  inner: Selection,
  known: readonly string[],
  { properties = {} }: Shape,
): FieldError[] =>
  [...inner].flatMap(([name, deeper]) => {
    if (!known.includes(name)) return [{ path: 'fields', message: `"${name}" is not a field of ${owner}` }]
    const shape = Object.hasOwn(properties, name) ? properties[name]! : {}
    return strangers(name, deeper, Object.keys(shape.properties ?? {}), shape)
  })

/** Bodies with what `fields` asked for added: one query per name, however many rows there are. */
export const present = async <Row>(
  db: Db,
  actor: Actor,
  rows: Row[],
  toBody: (row: Row) => object,
  expansions: Expansions<Row>,
  selection: Selection,
): Promise<object[]> => {
  const wanted = [...selection].filter(([name]) => Object.hasOwn(expansions, name))
  if (wanted.length === 0) return rows.map(toBody)
  const readers = await Promise.all(
    wanted.map(async ([name, inner]) => {
      const { load, selects } = expansions[name]!
      const read = await load(db, actor, rows, inner)
      return (row: Row) => [name, selects ? read(row) : pick(read(row) as object | null, inner)] as const
    }),
  )
  return rows.map((row) => ({ ...toBody(row), ...Object.fromEntries(readers.map((read) => read(row))) }))
}
