import {
  type Icon,
  IconArticle,
  IconBox,
  IconChartLine,
  IconInbox,
  IconMusic,
  IconPhoto,
  IconRss,
  IconSettings,
  IconUsers,
} from '@tabler/icons-react'
import type { ComponentType } from 'react'
import type { Texts } from './texts/index.ts'

export type PageRoute = {
  /** Below the environment's address; `$id` stands for a parameter. */
  path: string
  /** The page is the file's default export and is loaded when it is first needed. */
  load: () => Promise<{ default: ComponentType }>
  /** Without rail and top bar, for a screen of its own. */
  bare?: true
}

export type Area = {
  name: keyof Texts['areas']
  icon: Icon
  /** Without this scope the area is not shown in the rail. */
  needs?: string
  /** The first is where the rail leads. */
  pages: [PageRoute, ...PageRoute[]]
}

/** The Studio's table of contents, in the order of the rail. */
export const areas: Area[] = [
  {
    name: 'content',
    icon: IconArticle,
    needs: 'publications',
    pages: [
      { path: '/content', load: () => import('./features/content/ContentPage.tsx') },
      { path: '/content/$id', load: () => import('./features/editor/EditorPage.tsx') },
    ],
  },
  {
    name: 'media',
    icon: IconPhoto,
    needs: 'assets',
    pages: [
      { path: '/media', load: () => import('./features/media/MediaPage.tsx') },
      { path: '/media/$id', load: () => import('./features/media/asset/AssetPage.tsx') },
    ],
  },
  {
    name: 'models',
    icon: IconBox,
    needs: 'publication_models',
    pages: [
      { path: '/models', load: () => import('./features/models/ModelsPage.tsx') },
      { path: '/models/$id', load: () => import('./features/models/ModelPage.tsx') },
    ],
  },
  {
    name: 'audience',
    icon: IconUsers,
    needs: 'persons',
    pages: [
      { path: '/audience', load: () => import('./features/audience/persons/PersonsPage.tsx') },
      { path: '/audience/persons/$id', load: () => import('./features/audience/persons/PersonPage.tsx') },
      { path: '/audience/segments', load: () => import('./features/audience/segments/SegmentsPage.tsx') },
      { path: '/audience/imports', load: () => import('./features/audience/imports/ImportsPage.tsx') },
      { path: '/audience/segments/$id', load: () => import('./features/audience/segments/SegmentPage.tsx') },
    ],
  },
  {
    name: 'inbox',
    icon: IconInbox,
    needs: 'messages',
    pages: [
      { path: '/inbox', load: () => import('./features/inbox/messages/MessagesPage.tsx') },
      { path: '/inbox/comments', load: () => import('./features/inbox/comments/CommentsPage.tsx') },
      { path: '/inbox/screen', load: () => import('./features/inbox/messages/ScreenPage.tsx'), bare: true },
    ],
  },
  {
    name: 'sources',
    icon: IconRss,
    needs: 'sources',
    pages: [
      { path: '/sources', load: () => import('./features/sources/ItemsPage.tsx') },
      { path: '/sources/followed', load: () => import('./features/sources/SourcesPage.tsx') },
    ],
  },
  {
    name: 'music',
    icon: IconMusic,
    needs: 'content_items',
    pages: [
      { path: '/music', load: () => import('./features/music/TimelinePage.tsx') },
      { path: '/music/tracks', load: () => import('./features/music/catalogue/TracksPage.tsx') },
      { path: '/music/artists', load: () => import('./features/music/catalogue/ArtistsPage.tsx') },
    ],
  },
  {
    name: 'insights',
    icon: IconChartLine,
    needs: 'recommendations',
    pages: [
      { path: '/insights', load: () => import('./features/insights/InsightsPage.tsx') },
      { path: '/insights/$id', load: () => import('./features/insights/RecommendationPage.tsx') },
    ],
  },
  {
    name: 'settings',
    icon: IconSettings,
    pages: [
      { path: '/settings', load: () => import('./features/settings/EnvironmentPage.tsx') },
      { path: '/settings/users', load: () => import('./features/settings/UsersPage.tsx') },
      { path: '/settings/tokens', load: () => import('./features/settings/TokensPage.tsx') },
      { path: '/settings/applications', load: () => import('./features/settings/ApplicationsPage.tsx') },
      { path: '/settings/webhooks', load: () => import('./features/settings/WebhooksPage.tsx') },
      { path: '/settings/webhooks/$id', load: () => import('./features/settings/WebhookPage.tsx') },
      { path: '/settings/channels', load: () => import('./features/settings/ChannelsPage.tsx') },
      { path: '/settings/statuses', load: () => import('./features/settings/StatusesPage.tsx') },
      { path: '/settings/tags', load: () => import('./features/settings/TagsPage.tsx') },
      { path: '/settings/configurations', load: () => import('./features/settings/ConfigurationsPage.tsx') },
      { path: '/settings/email-templates', load: () => import('./features/settings/EmailTemplatesPage.tsx') },
      { path: '/settings/mailbox', load: () => import('./features/settings/MailboxPage.tsx') },
      { path: '/settings/jobs', load: () => import('./features/settings/JobsPage.tsx') },
      { path: '/settings/audit', load: () => import('./features/settings/AuditPage.tsx') },
    ],
  },
]
