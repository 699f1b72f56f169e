import type { Schema } from '../openapi/collect.ts'

type Call = { method: string; url: string; headers?: string[]; body?: unknown }

/** Between single quotes a shell reads nothing but the quote itself. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

/** A command that can be pasted; `-g` leaves the brackets of filters alone. */
export const curl = ({ method, url, headers = [], body }: Call): string => {
  const isJson = body !== undefined
  const lines = [
    `curl -g${method === 'GET' ? '' : ` -X ${method}`} ${quoted(url)}`,
    ...headers.map((header) => (header.includes('$') ? `-H "${header}"` : `-H ${quoted(header)}`)),
    ...(isJson ? [`-H 'Content-Type: application/json'`, `-d ${quoted(JSON.stringify(body, null, 2))}`] : []),
  ]
  return lines.join(' \\\n  ')
}

/** The call of an operation as its own examples have it. */
export const curlOf = (server: string, method: string, path: string, operation: Schema): string => {
  const parameters: Schema[] = operation.parameters ?? []
  const filled = path.replace(/\{(\w+)\}/g, (_, name) => pathExample(parameters, name))
  const body = operation.requestBody?.content['application/json']?.example
  const isPublic = operation.security.length === 0
  return curl({
    method,
    url: server + filled + queryExample(parameters),
    headers: isPublic ? [] : ['Authorization: Bearer $TOKEN'],
    body,
  })
}

const pathExample = (parameters: Schema[], name: string): string => {
  const { schema } = parameters.find((one) => one.in === 'path' && one.name === name) ?? {}
  const given = schema?.examples?.[0]
  return given === undefined ? '0199c2a4-7d1e-7c3a-9b52-3f1e8a6d4c20' : encodeURIComponent(String(given))
}

/** Required ones, and for a list one filter and a limit. */
const queryExample = (parameters: Schema[]): string => {
  const query = parameters.filter((one) => one.in === 'query')
  const required = query
    .filter((one) => one.required)
    .map((one) => `${one.name}=${encodeURIComponent(String(one.example ?? one.schema.examples?.[0] ?? '…'))}`)
  const filter =
    query.find((one) => one.style === 'deepObject' && one.name === 'name') ??
    query.find((one) => one.style === 'deepObject' && 'fz' in one.example)
  const isList = query.some((one) => one.name === 'limit')
  const parts = [...required, ...(filter ? [filterText(filter)] : []), ...(isList ? ['limit=5'] : [])]
  return parts.length > 0 ? `?${parts.join('&')}` : ''
}

const filterText = ({ name, example }: Schema): string => {
  const [[operator, value]] = Object.entries(example) as [[string, unknown]]
  return `${name}[0][${operator}]=${encodeURIComponent(String(value))}`
}
