import type { Generated, Selectable } from 'kysely'
import type { RecordColumns } from '../../database/columns.ts'

export const commentStatuses = ['pending', 'approved', 'hidden'] as const
export type CommentStatus = (typeof commentStatuses)[number]

export type CommentTable = RecordColumns & {
  publication_id: string
  /** The comment that it replies to. */
  parent_id: string | null
  person_key: string | null
  body: string
  status: CommentStatus
  /** Whether a back-office user has edited it. */
  moderated: Generated<boolean>
}

export type CommentRow = Selectable<CommentTable>
