import type { Generation, Schema } from '../../src/http/openapi/collect.ts'
import type { Document } from '../../src/http/openapi/document.ts'
import { parametersType, typeOf } from './types.ts'

const methods = ['get', 'post', 'put', 'delete']
const head = `// Made by \`npm run sdk\` from the OpenAPI documents. Change the routes instead.\n`

/** One generation as a file: its records as types, and every operation by method and path. */
export const moduleOf = (document: Document, generation: Generation): string => {
  const prefix = generation === 'v5' ? '/v5' : ''
  const records = Object.entries<Schema>(document.components.schemas).map(
    ([name, schema]) => `export type ${name} = ${typeOf(schema)}`,
  )
  const operations = methods.map((method) => {
    const lines = Object.entries(document.paths).flatMap(([path, at]) =>
      at[method] ? [`    '${prefix}${path}': ${operationType(at[method])}`] : [],
    )
    return `  ${method.toUpperCase()}: {\n${lines.join('\n')}\n  }`
  })
  return `${head}\n${records.join('\n')}\n\nexport type Operations = {\n${operations.join('\n')}\n}\n`
}

const operationType = (operation: Schema): string => {
  const parameters: Schema[] = operation.parameters ?? []
  const path = parametersType(parameters, 'path')
  const query = parametersType(parameters, 'query')
  const members = [
    path && `path: ${path.type}`,
    query && `query${query.needed ? '' : '?'}: ${query.type}`,
    bodyType(operation.requestBody),
  ]
  const given = members.filter(Boolean)
  return `{ given: ${given.length > 0 ? `{ ${given.join('; ')} }` : 'unknown'}; answer: ${answerType(operation.responses)} }`
}

const bodyType = (body: Schema | undefined): string | undefined => {
  if (!body) return undefined
  const json = body.content['application/json']
  return `body${body.required ? '' : '?'}: ${json ? `${typeOf(json.schema)} | FormData` : 'FormData | Blob'}`
}

/** What comes back when all is well: usually one kind of body; text and files are left to the caller. */
const answerType = (responses: Record<string, Schema>): string => {
  const good = Object.entries(responses).filter(([status]) => status.startsWith('2'))
  const types = good.map(([, { content }]) => {
    if (!content) return 'undefined'
    return content['application/json'] ? typeOf(content['application/json'].schema) : 'string'
  })
  return [...new Set(types)].join(' | ') || 'undefined'
}
