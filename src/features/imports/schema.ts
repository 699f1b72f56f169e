import { type TProperties, Type } from 'typebox'
import { base, Nullable } from '../../http/schemas.ts'
import { Choice } from '../access/schemas.ts'
import { importStatuses } from './filters.ts'
import { fileFormats } from './rows.ts'

type Asked = { matches: readonly string[]; matched: string; defaults?: TProperties }

export const ImportQuery = ({ matches, matched, defaults = {} }: Asked) =>
  Type.Object(
    {
      ...Type.Partial(Type.Object(defaults)).properties,
      dry_run: Type.Optional(
        Choice(['true', 'false', '1', '0'], {
          description: 'true: nothing is written; errors and counts tell what would be',
        }),
      ),
      format: Type.Optional(
        Choice(fileFormats, { description: 'Needed where neither the type nor the name of the file tells' }),
      ),
      match: Type.Optional(Choice(matches, { description: matched })),
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

/** An import as it is shown, by what it is called and what its rows may be found by. */
export const Import = (label: string, matches: readonly string[]) =>
  Type.Object(
    {
      ...base(label),
      status: Choice(importStatuses),
      dry_run: Type.Boolean(),
      match: Nullable('string', { enum: [...matches, null], description: 'What rows are found by' }),
      matched: count('Rows in the file, without empty ones'),
      processed: count('Rows that it has dealt with'),
      created: count('Those among them that made a record, or would have'),
      updated: count('Those that found theirs; one that says nothing new changes nothing'),
      failed: count('Those that were not taken; the errors say why'),
      reason: Nullable('string', { description: 'Why it failed as a whole' }),
    },
    { title: label },
  )

export const ImportError = Type.Object(
  {
    row: Type.Integer({ description: 'As a spreadsheet counts: in CSV the header is 1' }),
    column: Type.String({ description: 'As the file calls it, or the field; empty: the row as a whole' }),
    message: Type.String(),
  },
  { title: 'ImportError' },
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

/** A file in each of the ways in which it may come. */
export const ImportBody = (path: string, { csv, ndjson }: { csv: string; ndjson: string }) => ({
  content: {
    'text/csv': {
      schema: Type.Unsafe<unknown>({
        description: 'A header, then a row per record. Comma, semicolon or tab; UTF-8',
        examples: [csv],
      }),
    },
    'application/x-ndjson': {
      schema: Type.Unsafe<unknown>({ description: `A body of POST ${path} per line`, examples: [ndjson] }),
    },
    'multipart/form-data': {
      schema: Type.Unsafe<unknown>({
        description: 'One file, of either kind, and nothing else',
        properties: { file: { format: 'binary' } },
        examples: [{ file: csv }],
      }),
    },
  },
})
