import { userRoutesV5 } from '../features/access/users/routes.ts'
import { assetRoutesV5 } from '../features/assets/routes.ts'
import { audiotoolRoutes } from '../features/audiotool/routes.ts'
import { channelRoutesV5 } from '../features/channels/routes-v5.ts'
import { commentRoutesV5 } from '../features/comments/routes-v5.ts'
import { configurationRoutes } from '../features/configurations/routes.ts'
import { containerRoutes } from '../features/containers/routes.ts'
import { addressRoutes } from '../features/media-serving/routes-address.ts'
import { messageRoutesV5 } from '../features/messages/routes-v5.ts'
import { modelRoutes } from '../features/models/routes.ts'
import { mergeRoutes } from '../features/music/catalogue/routes-merge.ts'
import { catalogueRoutes } from '../features/music/catalogue/routes-v5.ts'
import { musicImportRoutes } from '../features/music/import/routes-v5.ts'
import { timelineRoutes } from '../features/music/timelines/routes-v5.ts'
import { notificationRoutesV5 } from '../features/notifications/routes-v5.ts'
import { remarkRoutesV5 } from '../features/persons/routes-remarks.ts'
import { personSessionRoutesV5 } from '../features/persons/routes-session.ts'
import { personRoutesV5 } from '../features/persons/routes-v5.ts'
import { publicationRoutesV5 } from '../features/publications/v5/routes.ts'
import { segmentRoutesV5 } from '../features/segments/routes.ts'
import { segmentMemberRoutes } from '../features/segments/routes-members.ts'
import { segmentPersonRoutesV5 } from '../features/segments/routes-persons.ts'
import { sourceItemRoutes } from '../features/sources/items/routes.ts'
import { sourceRoutes } from '../features/sources/routes.ts'
import { followRoutes } from '../features/sources/routes-follow.ts'
import { statusRoutes } from '../features/statuses/routes.ts'
import { tagRoutes } from '../features/tags/routes.ts'
import type { Routes } from './types.ts'

/** What version 5 serves, behind the prefix /v5. */
export const v5: Routes[] = [
  assetRoutesV5,
  channelRoutesV5,
  containerRoutes,
  statusRoutes,
  tagRoutes,
  modelRoutes,
  messageRoutesV5,
  commentRoutesV5,
  configurationRoutes,
  addressRoutes,
  audiotoolRoutes,
  publicationRoutesV5,
  notificationRoutesV5,
  personRoutesV5,
  remarkRoutesV5,
  personSessionRoutesV5,
  segmentRoutesV5,
  segmentMemberRoutes,
  segmentPersonRoutesV5,
  sourceRoutes,
  sourceItemRoutes,
  followRoutes,
  userRoutesV5,
  catalogueRoutes,
  mergeRoutes,
  timelineRoutes,
  musicImportRoutes,
]
