import type { Tx } from '../../database/connect.ts'
import { recordChange } from '../../database/transaction.ts'
import type { Actor } from '../access/authenticate.ts'
import type { CommentRow } from './table.ts'

/** As totals of threads look at a comment. */
type Described = Pick<CommentRow, 'id' | 'publication_id' | 'parent_id' | 'status'> & { kind: 'comment' }

const describe = (row: CommentRow | null): Described | null => {
  if (!row) return null
  const { id, publication_id, parent_id, status } = row
  return { kind: 'comment', id, publication_id, parent_id, status }
}

export const recordComment = (tx: Tx, before: CommentRow | null, after: CommentRow | null): void =>
  recordChange(tx, (after ?? before)!.environment_id, 'messages', describe(before), describe(after))

/** Whether a comment stands under what a list is of, for who asks. */
export const standsUnder =
  ({ token }: Actor, place: Partial<Pick<CommentRow, 'publication_id' | 'parent_id'>>) =>
  (comment: Described): boolean =>
    comment.kind === 'comment' &&
    (token.visibility !== 'published' || comment.status === 'approved') &&
    Object.entries(place).every(([name, value]) => comment[name as keyof Described] === value)
