import type { Schema } from '../openapi/collect.ts'
import type { Document } from '../openapi/document.ts'
import { curlOf } from './curl.ts'
import { type Html, html, jsonText, pre, prose } from './html.ts'
import { fieldRows, fieldTable, filterTable, parameterTable, type Resolve } from './tables.ts'

export type Operation = { method: string; path: string; anchor: string; operation: Schema }

/** Follows `#/components/…` of a document. */
export const resolver =
  (document: Document): Resolve =>
  (schema) =>
    schema.$ref
      ? schema.$ref
          .slice(2)
          .split('/')
          .reduce((value: Schema, name: string) => value[name], document as Schema)
      : schema

export const operationsOf = (document: Document, prefix: string): Operation[] =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path,
      anchor: `${prefix}-${operation.operationId}`,
      operation,
    })),
  )

export const badge = (method: string): Html =>
  html`<span class="method ${method.toLowerCase()}">${method === 'DELETE' ? 'DEL' : method}</span>`

export const operationSection = (server: string, resolve: Resolve, item: Operation): Html => {
  const { method, path, anchor, operation } = item
  const prefix = new URL(server).pathname.replace(/\/$/, '')
  return html`<article class="operation" id="${anchor}">
<header><h4>${operation.summary}${operation.deprecated && html` <span class="flag">deprecated</span>`}${
    operation['x-beta'] && html` <span class="flag">beta</span>`
  }</h4>
<p class="address">${badge(method)} <code>${prefix}${path}</code> <a class="self" href="#${anchor}" aria-label="Link to ${operation.summary}">#</a></p>
${scopesLine(operation)}</header>
<div class="columns"><div class="facts">
${operation.description && html`<p>${prose(operation.description)}</p>`}
${parameterSections(operation, resolve)}
${bodySection(operation, resolve)}
${responseSections(operation, resolve)}
</div><div class="examples">
${pre(curlOf(server, method, path, operation), 'Request')}
${exampleResponse(operation, resolve)}
</div></div></article>`
}

const scopesLine = (operation: Schema): Html => {
  const scopes: string[] | undefined = operation['x-scopes']
  if (!scopes) return html`<p class="scopes">No token needed</p>`
  if (scopes.length === 0) return html`<p class="scopes">Any token of the environment</p>`
  return html`<p class="scopes">${scopes.length > 1 ? 'Scopes' : 'Scope'} ${scopes.map(
    (scope) => html`<code>${scope}</code> `,
  )}</p>`
}

const section = (title: string, content: Html, open = true): Html =>
  html`<details${open && html` open`}><summary>${title}</summary>${content}</details>`

const parameterSections = (operation: Schema, resolve: Resolve): Html[] => {
  const all: Schema[] = operation.parameters.map(resolve)
  const of = (place: string) => all.filter((one) => one.in === place && one.style !== 'deepObject')
  const filters = all.filter((one) => one.style === 'deepObject')
  const table = (title: string, found: Schema[], open = true) =>
    found.length > 0 ? [section(title, parameterTable(found, resolve), open)] : []
  return [
    ...table('Path', of('path')),
    ...table('Query', of('query')),
    ...(filters.length > 0 ? [section('Filters', filterTable(filters, resolve))] : []),
    ...table('Headers', of('header'), false),
  ]
}

const bodySection = ({ requestBody }: Schema, resolve: Resolve): Html | undefined => {
  if (!requestBody) return undefined
  const json = requestBody.content['application/json']
  if (json) return section('Body', fieldTable(fieldRows(json.schema, resolve), resolve))
  const files = Object.entries<Schema>(requestBody.content)
  return section(
    'Body',
    html`<ul>${files.map(([type, { schema }]) => html`<li><code>${type}</code> ${schema.description ?? ''}</li>`)}</ul>`,
  )
}

const contentOf = (response: Schema): Schema | undefined =>
  response.content && (Object.values(response.content)[0] as Schema)

const responseSections = ({ responses }: Schema, resolve: Resolve): Html[] => {
  const entries = Object.entries<Schema>(responses)
  const own = entries.filter(([, { $ref }]) => $ref === undefined)
  const shared = entries.filter(([, { $ref }]) => $ref !== undefined)
  return [
    ...own.map(([status, response]) => ownResponse(status, response, resolve)),
    html`<p class="errors">Errors ${shared.map(
      ([status, response]) =>
        html`<a href="#error-${status}" title="${resolve(response).description}">${status}</a> `,
    )}</p>`,
  ]
}

const ownResponse = (status: string, response: Schema, resolve: Resolve): Html => {
  const content = contentOf(response)
  const rows = content ? fieldRows(content.schema, resolve) : []
  const names = Object.keys(response.headers ?? {}).filter((name) => name !== 'traceparent')
  const headers =
    names.length > 0
      ? html`<p class="limits">Headers: ${names.map((name) => html`<code>${name}</code> `)}</p>`
      : html``
  return section(
    `${status} ${response.description}`,
    html`${headers}${rows.length > 0 && fieldTable(rows, resolve)}`,
    false,
  )
}

const exampleResponse = ({ responses }: Schema, resolve: Resolve): Html | undefined => {
  const [status, response] = Object.entries<Schema>(responses).find(([code]) => code.startsWith('2')) ?? []
  if (!status) return undefined
  const content = contentOf(resolve(response!))
  return pre(content ? jsonText(content.example) : 'No body', `Response ${status}`)
}
