import { sql } from 'kysely'
import type { FieldError } from '../../../errors.ts'
import type { Expansions } from '../../../http/expand.ts'
import { presentBase } from '../../../http/schemas.ts'
import { RecordErrors } from './schema.ts'
import type { OperationRow } from './table.ts'

export const presentOperation = (row: OperationRow) => ({
  ...presentBase('BulkOperation', row),
  kind: row.kind,
  status: row.status,
  matched: row.matched,
  processed: row.processed,
  failed: row.failed,
  undoes: row.undoes,
  reason: row.reason,
})

const shown = 25

export const operationExpansions: Expansions<OperationRow> = {
  errors: {
    schema: RecordErrors,
    load: async (db, { environment_id }, rows) => {
      const ids = rows.map(({ id }) => id)
      const found = await sql<{ operation_id: string; record_id: string; error: FieldError[] }>`
        select failed.* from unnest(${ids}::text[]) as wanted (id), lateral (
          select operation_id, record_id, error from bulk_operation_records
          where environment_id = ${environment_id} and operation_id = wanted.id and error is not null
          order by record_id limit ${shown}) as failed`.execute(db)
      const byOperation = Map.groupBy(found.rows, ({ operation_id }) => operation_id)
      return ({ id }) =>
        (byOperation.get(id) ?? []).map(({ record_id, error }) => ({ id: record_id, errors: error }))
    },
  },
}
