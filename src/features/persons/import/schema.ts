import { Type } from 'typebox'
import { base, Nullable } from '../../../http/schemas.ts'
import { Choice } from '../../access/schemas.ts'
import { importStatuses } from './filters.ts'
import { fileFormats } from './rows.ts'
import { matches } from './table.ts'

export const ImportQuery = Type.Object(
  {
    dry_run: Type.Optional(
      Choice(['true', 'false', '1', '0'], {
        description: 'true: nothing is written; errors and counts tell what would be',
      }),
    ),
    format: Type.Optional(
      Choice(fileFormats, { description: 'Needed where neither the type nor the name of the file tells' }),
    ),
    match: Type.Optional(
      Choice(matches, {
        description: 'What a person is found by. Without it: by reference_id where a row has one, then by id',
      }),
    ),
    mapping: Type.Optional(
      Type.Unsafe<string | Record<string, string>>({
        type: ['string', 'object'],
        maxLength: 20_000,
        additionalProperties: { type: 'string', maxLength: 200 },
        description:
          'Column → field, as `mapping[E-mail]=emails` or as JSON; a column for the empty field is left out',
        examples: ['{"E-mail":"emails","Street":"address.street","Remarks":""}'],
      }),
    ),
  },
  { additionalProperties: false },
)

const count = (description: string) => Type.Integer({ minimum: 0, description })

export const PersonImport = Type.Object(
  {
    ...base('PersonImport'),
    status: Choice(importStatuses),
    dry_run: Type.Boolean(),
    match: Nullable('string', { enum: [...matches, null], description: 'What persons are found by' }),
    matched: count('Rows in the file, without empty ones'),
    processed: count('Rows that it has dealt with'),
    created: count('Those among them that made a person, or would have'),
    updated: count('Those that found theirs; one that says nothing new changes nothing'),
    failed: count('Those that were not taken; the errors say why'),
    reason: Nullable('string', { description: 'Why it failed as a whole' }),
  },
  { title: 'PersonImport' },
)

export const PersonImportError = Type.Object(
  {
    row: Type.Integer({ description: 'As a spreadsheet counts: in CSV the header is 1' }),
    column: Type.String({ description: 'As the file calls it, or the field; empty: the row as a whole' }),
    message: Type.String(),
  },
  { title: 'PersonImportError' },
)

/** What a file may come as. */
export const uploadTypes = {
  'text/csv': 'csv',
  'application/csv': 'csv',
  'text/tab-separated-values': 'csv',
  'application/x-ndjson': 'ndjson',
  'application/ndjson': 'ndjson',
  'application/jsonl': 'ndjson',
  'application/octet-stream': undefined,
  'text/plain': undefined,
  'multipart/form-data': undefined,
} as const

const CsvFile = Type.Unsafe<unknown>({
  description: 'A header, then a row per person. Comma, semicolon or tab; UTF-8',
  examples: ['reference_id,last_name,emails\n1024,Quayside,a@example.org;b@example.org\n'],
})
const NdjsonFile = Type.Unsafe<unknown>({
  description: 'A body of POST /persons per line',
  examples: ['{"reference_id":"1024","last_name":"Quayside"}\n'],
})
const Form = Type.Unsafe<unknown>({
  description: 'One file, of either kind, and nothing else',
  properties: { file: { format: 'binary' } },
  examples: [{ file: 'reference_id,last_name\n1024,Quayside\n' }],
})

export const ImportBody = {
  content: {
    'text/csv': { schema: CsvFile },
    'application/x-ndjson': { schema: NdjsonFile },
    'multipart/form-data': { schema: Form },
  },
}
