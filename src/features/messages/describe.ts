import type { Tx } from '../../database/connect.ts'
import { recordChange } from '../../database/transaction.ts'
import type { MessageRow } from './table.ts'

/** As totals of plain lists look at a message. Comments are of the same family of data, and told apart by this. */
type Described = { id: string; kind: 'message'; parent_id: string | null }

const describe = (row: MessageRow | null): Described | null =>
  row && { id: row.id, kind: 'message', parent_id: row.parent_id }

/** Whether the inbox has it: replies stand elsewhere. */
export const isSentIn = ({ kind, parent_id }: Described): boolean => kind === 'message' && parent_id === null

export const recordMessage = (tx: Tx, before: MessageRow | null, after: MessageRow | null): void =>
  recordChange(tx, (after ?? before)!.environment_id, 'messages', describe(before), describe(after))
