import { sql } from 'kysely'
import { Type } from 'typebox'
import type { Db } from '../../../database/connect.ts'
import { NotFound } from '../../../errors.ts'
import { recordRoutes } from '../../../http/records.ts'
import { base, presentBase } from '../../../http/schemas.ts'
import type { ListOptions, Routes } from '../../../http/types.ts'
import { Choice } from '../../access/schemas.ts'
import { type ReceiptRow, receiptKinds } from './receipts.ts'

type Row = ReceiptRow & { version: number }

const receiptList = {
  table: 'erasure_receipts',
  family: 'audience',
  filters: {
    id: { type: 'id', operators: ['eq', 'in'] },
    created_on: { type: 'date', operators: ['eq', 'lt', 'lte', 'gt', 'gte'] },
    kind: { type: 'text', operators: ['eq', 'in'], values: receiptKinds },
  },
  sorts: { created_on: { type: 'date' } },
  defaultSort: '-created_on',
} satisfies ListOptions

const Counts = Type.Record(Type.String(), Type.Integer(), { examples: [{ interactions: 12, letters: 1 }] })
const Who = Type.Unsafe<{ id: string } | null>({
  type: ['object', 'null'],
  properties: { id: { type: 'string' } },
  required: ['id'],
})

const ErasureReceipt = Type.Object(
  {
    ...base('ErasureReceipt'),
    kind: Choice(receiptKinds, { description: 'Tombstone: deleted by version 5, with interactions kept' }),
    erased: Counts,
    kept: Counts,
    performed_by: Type.Object({ user: Who, token: Who }),
  },
  { title: 'ErasureReceipt' },
)

const reference = (id: string | null) => (id === null ? null : { id })

const presentReceipt = (row: ReceiptRow) => ({
  ...presentBase('ErasureReceipt', { ...row, changed_on: null }),
  kind: row.kind,
  ...row.counts,
  performed_by: { user: reference(row.performed_by.user_id), token: reference(row.performed_by.token_id) },
})

const findReceipt = async (db: Db, environmentId: string, id: string): Promise<Row> => {
  const { rows } = await sql<ReceiptRow>`select * from erasure_receipts
    where environment_id = ${environmentId} and id = ${id}`.execute(db)
  if (!rows[0]) throw new NotFound('ErasureReceipt', id)
  return { ...rows[0], version: 1 }
}

/** That persons were erased; they are kept for good. */
export const receiptRoutes: Routes = (app, context) =>
  recordRoutes<Row, never, never>(app, context, {
    path: '/erasure_receipts',
    label: 'ErasureReceipt',
    record: ErasureReceipt,
    list: receiptList,
    present: presentReceipt,
    find: (db, { environment_id }, id) => findReceipt(db, environment_id, id),
    read: ['persons'],
  })
