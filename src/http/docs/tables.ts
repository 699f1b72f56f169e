import type { Schema } from '../openapi/collect.ts'
import { type Html, html, prose } from './html.ts'

export type Resolve = (schema: Schema) => Schema

/** `string or null, at most 200 characters` */
const typeText = (schema: Schema, resolve: Resolve): string => {
  if (schema.$ref) return resolve(schema).title ?? typeText(resolve(schema), resolve)
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (manyChoices(schema)) return 'one of many'
  if (schema.enum) return schema.enum.map((value: unknown) => JSON.stringify(value)).join(', ')
  const alternatives = schema.anyOf ?? schema.oneOf
  if (alternatives)
    return [...new Set(alternatives.map((part: Schema) => typeText(part, resolve)))].join(' or ')
  const types: string[] = [schema.type ?? 'anything'].flat()
  const type = types.map((name) => (name === 'array' ? listText(schema, resolve) : name)).join(' or ')
  return schema.format ? `${type} (${schema.format})` : type
}

/** Too many to stand in a narrow column. */
const manyChoices = ({ enum: choices }: Schema): boolean => choices?.length > 6

const choicesText = (schema: Schema): Html | false => {
  const found = [schema, schema.items ?? {}].find(manyChoices)
  return (
    found !== undefined &&
    html`<span class="choices">${found.enum.map((one: unknown) => html`<code>${String(one)}</code> `)}</span>`
  )
}

const listText = ({ items }: Schema, resolve: Resolve): string =>
  `list of ${items ? typeText(items, resolve) : 'anything'}`

const isList = ({ type }: Schema): boolean => [type].flat().includes('array')

const limitsText = (schema: Schema): string => {
  const said: [unknown, string][] = [
    [schema.default, `default ${schema.default}`],
    [schema.minimum, `from ${schema.minimum}`],
    [schema.maximum !== 2_147_483_647 && schema.maximum, `up to ${schema.maximum}`],
    [schema.minLength && schema.minLength > 1, `at least ${schema.minLength} characters`],
    [schema.maxLength, `at most ${schema.maxLength} characters`],
    [schema.minItems, `at least ${schema.minItems} items`],
    [schema.maxItems, `at most ${schema.maxItems} items`],
  ]
  return said
    .filter(([value]) => value !== undefined && value !== false && value !== 0)
    .map(([, text]) => text)
    .join(', ')
}

type Row = { name: string; required: boolean; schema: Schema; description?: string }

const maxDepth = 3

/** Names as they are written in a body: `streams[].url`. */
export const fieldRows = (schema: Schema, resolve: Resolve, prefix = '', depth = 1): Row[] => {
  const { properties = {}, required = [] } = resolve(schema)
  return Object.entries<Schema>(properties).flatMap(([name, inner]) => {
    const own = resolve(inner)
    const row = { name: prefix + name, required: required.includes(name), schema: inner }
    const nested = isList(own) ? resolve(own.items ?? {}) : own
    const next = isList(own) ? `${row.name}[].` : `${row.name}.`
    return [
      row,
      ...(depth < maxDepth && nested.properties ? fieldRows(nested, resolve, next, depth + 1) : []),
    ]
  })
}

export const fieldTable = (rows: Row[], resolve: Resolve): Html =>
  html`<table><thead><tr><th>Name</th><th>Type</th><th>What it is</th></tr></thead><tbody>${rows.map(
    ({ name, required, schema, description }) => {
      const limits = limitsText(schema)
      const words = description ?? schema.description ?? ''
      return html`<tr><td><code>${name}</code>${required && html`<b class="required">required</b>`}</td>
<td class="type">${typeText(schema, resolve)}</td>
<td>${prose(words)}${limits && html`<span class="limits">${words && ' '}${limits}</span>`}${choicesText(schema)}</td></tr>`
    },
  )}</tbody></table>`

/** A minus is explained once; it need not stand at every key. */
const plainSort = (name: string, schema: Schema): Schema =>
  name === 'sort' && schema.items?.enum
    ? { enum: schema.items.enum.filter((key: string) => !key.startsWith('-')) }
    : schema

export const parameterTable = (parameters: Schema[], resolve: Resolve): Html =>
  fieldTable(
    parameters.map(({ name, required, schema, description }) => ({
      name,
      required: required ?? false,
      schema: { ...plainSort(name, schema), description: undefined },
      description: description ?? schema.description,
    })),
    resolve,
  )

/** Filters: which operators a field has is what one looks for. */
export const filterTable = (parameters: Schema[], resolve: Resolve): Html =>
  html`<table><thead><tr><th>Field</th><th>Operators</th><th>How</th></tr></thead><tbody>${parameters.map(
    ({ name, schema, description }) => {
      const object: Schema = schema.anyOf?.[0] ?? schema
      const operators = Object.keys(object.properties ?? {}).filter((key) => key !== 'param')
      const [first] = operators
      const value = first ? (object.properties[first].items ?? object.properties[first]) : undefined
      return html`<tr><td><code>${name}</code></td>
<td>${operators.map((operator) => html`<code class="operator">${operator}</code> `)}
${value && html`<span class="limits">${typeText(value, resolve)}</span>`}</td>
<td>${prose(description)}</td></tr>`
    },
  )}</tbody></table>`
