import { randomUUIDv7 } from 'node:crypto'
import type { Tx } from '../../../database/connect.ts'
import { executeWithCommit } from '../../../database/driver.ts'
import type { Actor } from '../../access/authenticate.ts'
import type { Counts } from './traces.ts'

export const receiptKinds = ['anonymized', 'deleted', 'tombstone', 'merged'] as const
export type ReceiptKind = (typeof receiptKinds)[number]

/** How much went and how much stayed with an anonymous, a deleted or, after a merge, another person. */
export type Erased = { erased: Counts; kept: Counts }

export type ReceiptRow = {
  environment_id: string
  id: string
  kind: ReceiptKind
  counts: Erased
  performed_by: { token_id: string | null; user_id: string | null }
  created_on: Date
}

/** Tells that somebody was erased, by whom and how much there was; nothing of who it was. */
export const writeReceipt = async (
  tx: Tx,
  { environment_id, token_id, user_id }: Actor,
  kind: ReceiptKind,
  counts: Erased,
): Promise<void> => {
  await executeWithCommit(
    tx,
    `insert into erasure_receipts (environment_id, id, kind, counts, performed_by)
      values ($1, $2, $3, $4::text::jsonb, $5::text::jsonb)`,
    [environment_id, randomUUIDv7(), kind, JSON.stringify(counts), JSON.stringify({ token_id, user_id })],
  )
}
