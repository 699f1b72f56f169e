import {
  type Icon,
  IconArticle,
  IconBox,
  IconInbox,
  IconMusic,
  IconPhoto,
  IconRss,
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
    pages: [{ path: '/music', load: () => import('./features/music/TimelinePage.tsx') }],
  },
]
