import type { Selectable } from 'kysely'
import type { BulkOperationTable } from '../table.ts'

export type OperationRow = Selectable<BulkOperationTable>
export type OperationKind = OperationRow['kind']

/** What a call of webhooks tells them. */
export type StoredCall = { event: string }

/** What a put does, as it was sent. */
export type StoredChanges = { changes: Record<string, unknown>; is_form: boolean }
