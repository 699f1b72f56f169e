import type { Schema } from './collect.ts'

export type Components = {
  schemas: Record<string, Schema>
  /** The schema as it is documented: titled parts as references, nothing of ours inside. */
  convert(schema: Schema): Schema
  /** The same, kept under a name even where it has no title. */
  named(name: string, schema: Schema): Schema
  /** What a schema that may be a reference says. */
  resolve(schema: Schema): Schema
}

const prefix = '#/components/schemas/'

/** Keywords that only this service reads. `x-documented` says in more words what is judged by other code. */
const isInternal = (keyword: string): boolean =>
  keyword.startsWith('~') || keyword === 'x-ignored' || keyword === '$id'

/** Keywords whose value is a map of schemas, so that its keys are names and not keywords. */
const maps = new Set(['properties', 'patternProperties', '$defs', 'dependentSchemas'])
/** Keywords whose value is data. */
const data = new Set(['examples', 'example', 'default', 'const', 'enum', 'required'])

/** Titled schemas, once each; a title that stands for something else already gets a number. */
export const collectComponents = (): Components => {
  const schemas: Record<string, Schema> = {}
  const written = new Map<string, string>()

  const keep = (title: string, schema: Schema): Schema => {
    const wanted = title.replace(/[^A-Za-z0-9._-]+/g, '')
    const text = JSON.stringify(schema)
    for (let number = 1; ; number += 1) {
      const name = number === 1 ? wanted : `${wanted}${number}`
      const known = written.get(name)
      if (known === undefined) {
        written.set(name, text)
        schemas[name] = schema
      }
      if (known === undefined || known === text) return { $ref: prefix + name }
    }
  }
  const plain = (schema: Schema): Schema =>
    Object.fromEntries(
      Object.entries(schema)
        .filter(([keyword, value]) => !isInternal(keyword) && value !== undefined)
        .map(([keyword, value]) => [keyword, convertKeyword(keyword, value)]),
    )
  const convertKeyword = (keyword: string, value: unknown): unknown => {
    if (data.has(keyword) || typeof value !== 'object' || value === null) return value
    if (Array.isArray(value)) return value.map((item) => (typeof item === 'object' ? convert(item) : item))
    if (!maps.has(keyword)) return convert(value)
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, convert(inner)]))
  }
  const convert = (schema: Schema): Schema => {
    const made = plain(schema['x-documented'] ?? schema)
    return made.title ? keep(made.title, made) : made
  }
  return {
    schemas,
    convert,
    named: (name, schema) => {
      const made = convert(schema)
      return made.$ref ? made : keep(name, { title: name, ...made })
    },
    resolve: (schema) => (schema.$ref ? schemas[schema.$ref.slice(prefix.length)]! : schema),
  }
}
