import type { Selectable } from 'kysely'
import type { RecordColumns } from '../../database/columns.ts'
import type { Person } from '../persons/table.ts'

export const messageLabels = ['EmailMessage', 'Sms', 'AppMessage', 'WebMessage'] as const
export type MessageLabel = (typeof messageLabels)[number]
export const deliveries = ['pending', 'sent', 'failed', 'stored'] as const

export type MessageTable = RecordColumns & {
  label: MessageLabel
  /** Of a reply: what it answers. */
  parent_id: string | null
  person_key: string | null
  channel_id: string | null
  body: string
  subject: string | null
  nickname: string | null
  email: string | null
  phone: string | null
  /** What the sender is found by. */
  sender: string
  on_screen_on: Date | null
  /** Of a reply: whether it has gone out. */
  delivery: (typeof deliveries)[number] | null
}

export type MessageRow = Selectable<MessageTable>

export const attachmentKinds = ['photo', 'audio', 'video'] as const
export type AttachmentKind = (typeof attachmentKinds)[number]

export type MessageAttachmentTable = {
  environment_id: string
  message_id: string
  kind: AttachmentKind
  /** Where it was fetched from. */
  source_url: string | null
  asset_id: string | null
}
export type Attachment = Pick<MessageAttachmentTable, 'kind' | 'source_url' | 'asset_id'>

/** The row with what stands beside it. `favorite` is null where no user asks. */
export type Message = MessageRow & {
  person: Person | null
  attachments: ShownAttachment[]
  favorite: boolean | null
}

/** With the addresses that it is read at, where its bytes are there. */
export type ShownAttachment = Attachment & { url: string | null; original_url: string | null }

export type MessageTagTable = { environment_id: string; message_id: string; tag_id: string }
export type MessageFavoriteTable = { environment_id: string; user_id: string; message_id: string }
