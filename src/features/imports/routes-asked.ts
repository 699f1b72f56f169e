import type { FastifyRequest } from 'fastify'
import type { TObject } from 'typebox'
import { type FieldError, faultsOf, Invalid, invalid } from '../../errors.ts'
import { validationErrors } from '../../http/errors.ts'
import { dropIgnored } from '../../http/forms.ts'
import { checkJson } from '../../http/query.ts'
import type { Upload } from '../../http/uploads.ts'
import type { Mapping } from './columns.ts'
import type { FileFormat, Judge } from './rows.ts'
import { uploadTypes } from './schema.ts'

const endings: [RegExp, FileFormat][] = [
  [/\.(csv|tsv)$/i, 'csv'],
  [/\.(ndjson|jsonl)$/i, 'ndjson'],
]

/** What the caller says, else what the type says, else the ending of the file's name. */
export const formatOf = ({ type, name = '' }: Upload, told: FileFormat | undefined): FileFormat => {
  const typed = Object.hasOwn(uploadTypes, type) ? uploadTypes[type as keyof typeof uploadTypes] : undefined
  const format = told ?? typed ?? endings.find(([ending]) => ending.test(name))?.[1]
  if (!format) throw invalid('format', 'is needed, because the type of the file does not tell: csv or ndjson')
  return format
}

export const readMapping = (sent: unknown, format: FileFormat): Mapping => {
  if (sent === undefined) return {}
  if (format !== 'csv') throw invalid('mapping', 'is for CSV')
  const mapping = typeof sent === 'string' ? parsed(sent) : sent
  if (typeof mapping !== 'object' || mapping === null || Array.isArray(mapping))
    throw invalid('mapping', 'must be an object')
  const faults = Object.entries(mapping)
    .filter(([, field]) => typeof field !== 'string')
    .map(([column]) => ({ path: `mapping.${column}`, message: 'must be the name of a field' }))
  if (faults.length > 0) throw new Invalid(faults)
  return mapping as Mapping
}

const parsed = (text: string): unknown => {
  try {
    const value: unknown = JSON.parse(text)
    checkJson(value)
    return value
  } catch (error) {
    throw error instanceof Invalid ? error : invalid('mapping', 'is not valid JSON')
  }
}

/** What a kind asks of a body beyond its schema; it may complete the body, and remember the rows before. */
export type AlsoWrong = (body: Record<string, unknown>) => FieldError[]

/** Rows are held against the schema of a POST, by what validates requests. */
export const judgeOf = (
  request: FastifyRequest,
  schema: TObject,
  defaults: Record<string, unknown>,
  alsoWrong: AlsoWrong,
): Judge => {
  const validate = request.compileValidationSchema(schema)
  return {
    schema,
    faults(body: object): FieldError[] {
      dropIgnored(schema, body)
      for (const [name, value] of Object.entries(defaults))
        if (!Object.hasOwn(body, name)) (body as Record<string, unknown>)[name] = value
      const unstorable = faultsOf(() => checkJson(body))
      if (unstorable.length > 0) return unstorable
      return validate(body)
        ? alsoWrong(body as Record<string, unknown>)
        : validationErrors(validate.errors ?? [])
    },
  }
}
