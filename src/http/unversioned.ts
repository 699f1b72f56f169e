import { accessRoutes } from '../features/access/routes.ts'
import { assetRoutes } from '../features/assets/routes.ts'
import { audiotoolRoutes } from '../features/audiotool/routes.ts'
import { channelRoutes } from '../features/channels/routes.ts'
import { configurationRoutes } from '../features/configurations/routes.ts'
import { containerRoutes } from '../features/containers/routes.ts'
import { customerRoutes } from '../features/customers/routes.ts'
import { emailTemplateRoutes } from '../features/email-templates/routes.ts'
import { eventRoutes } from '../features/events-stream/routes.ts'
import { interactionRoutes } from '../features/interactions/routes.ts'
import { mediaRoutes } from '../features/media-serving/routes.ts'
import { addressRoutes } from '../features/media-serving/routes-address.ts'
import { messageRoutes } from '../features/messages/routes.ts'
import { modelRoutes } from '../features/models/routes.ts'
import { erasureRoutes } from '../features/persons/erase/routes.ts'
import { receiptRoutes } from '../features/persons/erase/routes-receipts.ts'
import { personImportRoutes } from '../features/persons/import/routes.ts'
import { personLinkRoutes } from '../features/persons/links/routes.ts'
import { personInteractionRoutes } from '../features/persons/links/routes-interactions.ts'
import { personLinkListRoutes } from '../features/persons/links/routes-lists.ts'
import { personRoutes } from '../features/persons/routes.ts'
import { personActionRoutes } from '../features/persons/routes-actions.ts'
import { bulkRoutes } from '../features/publications/bulk/routes.ts'
import { draftRoutes } from '../features/publications/drafts/routes.ts'
import { publicationRoutes } from '../features/publications/routes.ts'
import { internalCommentRoutes } from '../features/publications/routes-comments.ts'
import { publicationListRoute } from '../features/publications/routes-list.ts'
import { publicationWebhookRoutes } from '../features/publications/routes-webhooks.ts'
import { trashRoutes } from '../features/publications/trash/routes.ts'
import { versionRoutes } from '../features/publications/versions/routes.ts'
import { recommendationInsightRoutes } from '../features/recommendations/insights/routes.ts'
import { predictRoutes } from '../features/recommendations/predict/routes.ts'
import { recommendationRoutes } from '../features/recommendations/routes.ts'
import { searchRoutes } from '../features/search/routes.ts'
import { segmentRoutes } from '../features/segments/routes.ts'
import { segmentMemberRoutes } from '../features/segments/routes-members.ts'
import { segmentPersonRoutes } from '../features/segments/routes-persons.ts'
import { statusRoutes } from '../features/statuses/routes.ts'
import { studioRoutes } from '../features/studio/routes.ts'
import { tagRoutes } from '../features/tags/routes.ts'
import { viewRoutes } from '../features/views/routes.ts'
import { deliveryRoutes } from '../features/webhooks/deliveries/routes.ts'
import { webhookRoutes } from '../features/webhooks/routes.ts'
import type { Routes } from './types.ts'

/** What the unversioned generation serves. */
export const unversioned: Routes[] = [
  assetRoutes,
  channelRoutes,
  containerRoutes,
  statusRoutes,
  tagRoutes,
  modelRoutes,
  publicationListRoute,
  publicationRoutes,
  internalCommentRoutes,
  draftRoutes,
  versionRoutes,
  trashRoutes,
  bulkRoutes,
  publicationWebhookRoutes,
  mediaRoutes,
  addressRoutes,
  audiotoolRoutes,
  interactionRoutes,
  segmentRoutes,
  segmentMemberRoutes,
  segmentPersonRoutes,
  personImportRoutes,
  personRoutes,
  personLinkRoutes,
  personLinkListRoutes,
  personInteractionRoutes,
  personActionRoutes,
  erasureRoutes,
  receiptRoutes,
  recommendationRoutes,
  predictRoutes,
  recommendationInsightRoutes,
  searchRoutes,
  eventRoutes,
  messageRoutes,
  configurationRoutes,
  webhookRoutes,
  deliveryRoutes,
  accessRoutes,
  emailTemplateRoutes,
  customerRoutes,
  studioRoutes,
  viewRoutes,
]
