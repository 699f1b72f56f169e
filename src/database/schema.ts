import type { Generated } from 'kysely'
import type * as access from '../features/access/table.ts'
import type * as assets from '../features/assets/table.ts'
import type { RecordingTable } from '../features/audiotool/table.ts'
import type { ChannelTable } from '../features/channels/table.ts'
import type { CommentTable } from '../features/comments/table.ts'
import type { ConfigurationTable } from '../features/configurations/table.ts'
import type { ContainerTable } from '../features/containers/table.ts'
import type { SignInRequestTable } from '../features/customers/table.ts'
import type { EmailTemplateTable } from '../features/email-templates/table.ts'
import type * as imports from '../features/imports/table.ts'
import type * as interactions from '../features/interactions/table.ts'
import type { MediaCacheTable } from '../features/media-serving/table.ts'
import type * as messages from '../features/messages/table.ts'
import type { ModelTable } from '../features/models/table.ts'
import type * as music from '../features/music/table.ts'
import type * as persons from '../features/persons/table.ts'
import type { StoredMatch } from '../features/publications/match.ts'
import type * as publications from '../features/publications/table.ts'
import type { RecommendationTable } from '../features/recommendations/table.ts'
import type { RemarkTable } from '../features/remarks/table.ts'
import type * as segments from '../features/segments/table.ts'
import type * as sources from '../features/sources/table.ts'
import type { StatusTable } from '../features/statuses/table.ts'
import type { TagTable } from '../features/tags/table.ts'
import type { ViewTable } from '../features/views/table.ts'
import type { WebhookDeliveryTable, WebhookTable } from '../features/webhooks/table.ts'
import type { Json } from './columns.ts'

type OutboxTable = {
  id: Generated<string>
  event_id: string
  organisation_id: string
  environment_id: string | null
  event: string
  label: string
  record_id: string
  snapshot: Json<unknown>
  match: Json<StoredMatch | null>
  performed_by: Json<unknown>
  created_on: Generated<Date>
  origin: string | null
}

type EventTable = Omit<OutboxTable, 'id' | 'event_id' | 'origin'> & { sequence: string; id: string }

type IdempotencyTable = {
  environment_id: string
  token_id: string
  key: string
  request_hash: Buffer
  record_id: string | null
  created_on: Generated<Date>
}

export type MailboxTable = {
  id: string
  organisation_id: string
  environment_id: string | null
  recipient: string
  subject: string
  text: string
  html: string | null
  created_on: Generated<Date>
}

type BulkOperationRecordTable = {
  environment_id: string
  operation_id: string
  record_id: string
  error: Json<unknown>
}

/** Tables of the records that belong to one environment and share the columns of `RecordColumns`. */
export type RecordTables = {
  channels: ChannelTable
  containers: ContainerTable
  statuses: StatusTable
  tags: TagTable
  configurations: ConfigurationTable
  applications: access.ApplicationTable
  persons: persons.PersonTable
  imports: imports.ImportTable
  assets: assets.AssetTable
  publication_models: ModelTable
  publications: publications.PublicationTable
  remarks: RemarkTable
  messages: messages.MessageTable
  comments: CommentTable
  segments: segments.SegmentTable
  recommendations: RecommendationTable
  bulk_operations: publications.BulkOperationTable
  sources: sources.SourceTable
  artists: music.ArtistTable
  tracks: music.TrackTable
  timelines: music.TimelineTable
  webhooks: WebhookTable
  email_templates: EmailTemplateTable
  views: ViewTable
}

export type Database = RecordTables & {
  organisations: access.OrganisationTable
  environments: access.EnvironmentTable
  users: access.UserTable
  memberships: access.MembershipTable
  organisation_users: access.OrganisationUserTable
  invitations: access.InvitationTable
  tokens: access.TokenTable
  user_sessions: access.UserSessionTable
  rate_limits: access.RateLimitTable
  sign_in_requests: SignInRequestTable
  person_tags: persons.PersonTagTable
  person_facts: persons.PersonFactTable
  person_terms: persons.PersonTermTable
  person_emails: persons.PersonEmailTable
  person_accounts: persons.PersonAccountTable
  person_links: persons.PersonLinkTable
  person_words: { environment_id: string; word: string; person_key: string }
  person_vocabulary: { environment_id: string; word: string }
  person_phones: { environment_id: string; person_key: string; phone: string }
  person_sessions: persons.PersonSessionTable
  message_attachments: messages.MessageAttachmentTable
  message_tags: messages.MessageTagTable
  message_favorites: messages.MessageFavoriteTable
  import_errors: imports.ImportErrorTable
  segment_members: segments.SegmentMemberTable
  interactions: interactions.InteractionTable
  interaction_ids: interactions.InteractionIdTable
  publication_counters: interactions.PublicationCounterTable
  audience_deltas: interactions.AudienceDeltaTable
  asset_tags: assets.AssetTagTable
  asset_uploads: assets.AssetUploadTable
  asset_chunks: assets.AssetChunkTable
  publication_locales: publications.PublicationLocaleTable
  publication_values: publications.PublicationValueTable
  publication_versions: publications.PublicationVersionTable
  deleted_publications: publications.DeletedPublicationTable
  publication_drafts: publications.PublicationDraftTable
  vocabulary: { environment_id: string; word: string }
  bulk_operation_records: BulkOperationRecordTable
  idempotency_keys: IdempotencyTable
  mailbox: MailboxTable
  outbox: OutboxTable
  events: EventTable
  event_sequence: { last: string }
  media_cache: MediaCacheTable
  recordings: RecordingTable
  webhook_deliveries: WebhookDeliveryTable
  webhook_position: { sequence: string }
  source_polls: sources.SourcePollTable
  source_items: sources.SourceItemTable
}
