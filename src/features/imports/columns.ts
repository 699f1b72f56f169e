import { type FieldError, Invalid } from '../../errors.ts'
import { shown } from './decode.ts'

/** As much of a schema as tells what a column may stand for. */
type Schema = {
  type?: string | string[]
  format?: string
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
}

export type Column = {
  /** As the file calls it. */
  name: string
  /** `last_name`, `emails` or, of the one sub-record that a row can hold, `addresses.0.street`. */
  path: string
  write(body: Record<string, unknown>, text: string): void
}

/** Column → field, as the caller says. A column for the empty field is left out. */
export type Mapping = Record<string, string>

const maxColumns = 500

/** The columns that a header names, in its order; null where one is left out. */
export const readHeader = (names: string[], body: object, mapping: Mapping): (Column | null)[] => {
  const trimmed = names.map((name) => name.trim())
  if (trimmed.length > maxColumns)
    throw new Invalid([{ path: 'columns', message: `are more than ${maxColumns}` }])
  const faults: FieldError[] = Object.keys(mapping)
    .filter((name) => !trimmed.includes(name))
    .map((name) => ({ path: `mapping.${shown(name)}`, message: 'is no column of the file' }))
  const columns = trimmed.map((name, index) => {
    const field = Object.hasOwn(mapping, name) ? mapping[name]! : name.toLowerCase()
    const isLeftOut = Object.hasOwn(mapping, name) && field === ''
    const column = isLeftOut ? null : columnOf(name, field, body as Schema)
    if (column === undefined)
      faults.push({
        path: `columns.${name === '' ? index + 1 : shown(name)}`,
        message: 'is not the name of a field; the mapping can name one, or none to leave it out',
      })
    return column ?? null
  })
  faults.push(...repeated(columns))
  if (faults.length === 0 && columns.every((column) => column === null))
    faults.push({ path: 'columns', message: 'name no field' })
  if (faults.length > 0) throw new Invalid(faults)
  return columns
}

/** A field may come from one column, and a list as a whole or by its parts. */
const repeated = (columns: (Column | null)[]): FieldError[] => {
  const taken = new Map<string, string>()
  return columns.flatMap((column) => {
    if (!column) return []
    const whole = column.path.split('.', 1)[0]!
    const other =
      taken.get(column.path) ?? (whole === column.path ? taken.get(`${whole}.`) : taken.get(whole))
    taken.set(column.path, column.name)
    if (whole !== column.path) taken.set(`${whole}.`, column.name)
    return other === undefined
      ? []
      : [{ path: `columns.${shown(column.name)}`, message: `is for the same field as ${shown(other)}` }]
  })
}

const typesOf = ({ type }: Schema): string[] => [type ?? []].flat()

const columnOf = (name: string, field: string, { properties = {} }: Schema): Column | undefined => {
  const [first, sub, ...rest] = field.split('.')
  if (rest.length > 0) return undefined
  const key = [first!, `${first}s`, `${first}es`].find((one) => Object.hasOwn(properties, one))
  if (key === undefined) return undefined
  const schema = properties[key]!
  const isList = typesOf(schema).includes('array')
  if (sub !== undefined) return isList ? partColumn(name, key, sub, schema.items!) : undefined
  return isList ? listColumn(name, key, schema.items!) : valueColumn(name, key, schema)
}

const valueColumn = (name: string, key: string, schema: Schema): Column => ({
  name,
  path: key,
  write: (body, text) => {
    body[key] = cellOf(schema, text)
  },
})

/** `a;b` → a list of texts or, where items are objects alone, of objects with what they need. */
const listColumn = (name: string, key: string, item: Schema): Column | undefined => {
  const isText = typesOf(item).includes('string')
  const names = item.required?.length ? item.required : ['body']
  if (!isText && names.length > 1) return undefined
  const wrap = (text: string) => (isText ? text : { [names[0]!]: text })
  return {
    name,
    path: key,
    write: (body, text) => {
      const parts = text.split(';').map((part) => part.trim())
      body[key] = parts.filter((part) => part !== '').map(wrap)
    },
  }
}

/** Columns such as `address.street` and `address.city` are of one address, which is then the only one. */
const partColumn = (name: string, key: string, sub: string, item: Schema): Column | undefined => {
  const schema = Object.hasOwn(item.properties ?? {}, sub) ? item.properties![sub]! : undefined
  if (!schema || typesOf(schema).length === 0) return undefined
  return {
    name,
    path: `${key}.0.${sub}`,
    write: (body, text) => {
      body[key] ??= [{}]
      ;(body[key] as Record<string, unknown>[])[0]![sub] = cellOf(schema, text)
    },
  }
}

/** Spaces around a value are nobody's, but for a password. Spreadsheets write TRUE and FALSE. */
const cellOf = (schema: Schema, text: string): unknown => {
  if (schema.format === 'password') return text
  const value = text.trim()
  const types = typesOf(schema)
  if (types.some((type) => type === 'integer' || type === 'number') && !types.includes('string'))
    return /^-?\d{1,15}(\.\d+)?$/.test(value) ? Number(value) : value
  if (!types.includes('boolean')) return value
  if (/^(true|1)$/i.test(value)) return true
  return /^(false|0)$/i.test(value) ? false : value
}

/** What the file calls a field that something is wrong with; the field itself where it has no column. */
export const columnFor = (columns: Record<string, string>, path: string): string => {
  const parts = path.split('.')
  for (let length = parts.length; length > 0; length -= 1) {
    const known = parts.slice(0, length).join('.')
    if (Object.hasOwn(columns, known)) return columns[known]!
  }
  return path
}
