import type { Tx } from '../../../database/connect.ts'
import { executeWithCommit } from '../../../database/driver.ts'

type Column = readonly [name: string, type: string]

const record: Column[] = [
  ['environment_id', 'text'],
  ['id', 'text'],
]

/** The columns of each table with their types, in the order in which they are written. */
export const columns = {
  publications: [
    ...record,
    ['label', 'text'],
    ['model_id', 'text'],
    ['locales', 'text[]'],
    ['state', 'jsonb'],
    ['items', 'jsonb'],
    ['channel_ids', 'text[]'],
    ['container_ids', 'text[]'],
    ['facets', 'bigint[]'],
    ['publish_on', 'timestamptz'],
    ['next_change', 'timestamptz'],
    ['created_by', 'text'],
    ['updated_by', 'text'],
    ['version', 'integer'],
    ['created_on', 'timestamptz'],
    ['changed_on', 'timestamptz'],
  ],
  publication_locales: [
    ...record,
    ['locale', 'text'],
    ['slug_scope', 'text'],
    ['slug', 'text'],
    ['title', 'text'],
    ['status_id', 'text'],
    ['publish_on', 'timestamptz'],
    ['expire_on', 'timestamptz'],
    ['facets', 'bigint[]'],
    ['title_search', 'tsvector'],
    ['search', 'tsvector'],
    ['items', 'jsonb'],
    ['main', 'boolean'],
  ],
  publication_values: [
    ...record,
    ['model_id', 'text'],
    ['api_id', 'text'],
    ['locale', 'text'],
    ['position', 'integer'],
    ['number', 'double precision'],
    ['number_2', 'double precision'],
    ['text', 'text'],
  ],
  publication_places: [
    ...record,
    ['locale', 'text'],
    ['position', 'integer'],
    ['latitude', 'double precision'],
    ['longitude', 'double precision'],
    ['cell', 'bigint'],
  ],
  publication_events: [
    ...record,
    ['locale', 'text'],
    ['position', 'integer'],
    ['starts', 'timestamptz'],
    ['ends', 'timestamptz'],
  ],
  publication_versions: [
    ['environment_id', 'text'],
    ['publication_id', 'text'],
    ['version', 'integer'],
    ['event', 'text'],
    ['label', 'text'],
    ['model_id', 'text'],
    ['channel_ids', 'text[]'],
    ['container_ids', 'text[]'],
    ['locales', 'text[]'],
    ['state', 'jsonb'],
    ['items', 'jsonb'],
    ['contents', 'text[]'],
    ['bulk_operation_id', 'text'],
    ['created_by', 'text'],
    ['created_on', 'timestamptz'],
  ],
  deleted_publications: [
    ...record,
    ['title', 'text'],
    ['version', 'integer'],
    ['created_by', 'text'],
    ['created_on', 'timestamptz'],
    ['deleted_on', 'timestamptz'],
    ['deleted_by', 'text'],
  ],
} satisfies Record<string, Column[]>

/** A statement has at most 65,535 parameters. */
const perStatement = 1000

/** Rows of one table in few statements that travel with the commit. */
export const insertRows = async (
  tx: Tx,
  table: keyof typeof columns,
  names: readonly Column[],
  rows: Record<string, unknown>[],
): Promise<void> => {
  for (let from = 0; from < rows.length; from += perStatement) {
    const part = rows.slice(from, from + perStatement)
    const text = `insert into ${table} (${names.map(([name]) => `"${name}"`)}) values ${marks(names, part.length)}`
    const values = part.flatMap((row) => names.map(([name, type]) => parameter(row[name], type)))
    await executeWithCommit(tx, text, values)
  }
}

const marks = (names: readonly Column[], count: number): string =>
  Array.from({ length: count }, (_, row) => {
    const places = names.map(([, type], index) => mark(row * names.length + index + 1, type))
    return `(${places})`
  }).join()

/** Words are given as a list: no quoting of lexemes, and nothing to be stemmed again. */
const mark = (number: number, type: string): string =>
  type === 'tsvector' ? `array_to_tsvector($${number}::text[])` : `$${number}::${type}`

const parameter = (value: unknown, type: string): unknown =>
  type === 'jsonb' ? JSON.stringify(value ?? null) : (value ?? null)
