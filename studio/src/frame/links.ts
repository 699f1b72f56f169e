import { useNavigate } from '@tanstack/react-router'
import { areas } from '../routes.tsx'

export type PageLink = { to: string; params?: Record<string, string>; search?: Record<string, string> }

export const hasPage = (path: string): boolean =>
  areas.some(({ pages }) => pages.some((page) => page.path === path))

const setting = (section: string) => (id: string) => ({ to: `/settings/${section}`, search: { open: id } })

/** Where a record is shown, by its kind. An area that shows a kind of record says so here. */
const places: Record<string, (id: string) => PageLink> = {
  messages: (id) => ({ to: '/inbox', search: { message: id } }),
  assets: (id) => ({ to: '/media/$id', params: { id } }),
  persons: (id) => ({ to: '/audience/persons/$id', params: { id } }),
  recommendations: (id) => ({ to: '/insights/$id', params: { id } }),
  segments: (id) => ({ to: '/audience/segments/$id', params: { id } }),
  webhooks: (id) => ({ to: '/settings/webhooks/$id', params: { id } }),
  channels: setting('channels'),
  statuses: setting('statuses'),
  tags: setting('tags'),
  tokens: setting('tokens'),
  users: setting('users'),
  configurations: setting('configurations'),
  publication_models: (id) => ({ to: '/models/$id', params: { id } }),
  publications: (id) =>
    hasPage('/content/$id')
      ? { to: '/content/$id', params: { id } }
      : { to: '/content', search: { peek: id } },
  sources: (id) => ({ to: '/sources/followed', search: { peek: id } }),
  tracks: (id) => ({ to: '/music/tracks', search: { peek: id } }),
  artists: (id) => ({ to: '/music/artists', search: { peek: id } }),
}

export const linkOf = (kind: string, id: string): PageLink =>
  places[kind]?.(id) ?? { to: '/content', search: { q: id } }

/** Goes to where a record is shown. */
export const useOpen = (): ((kind: string, id: string) => void) => {
  const navigate = useNavigate()
  return (kind, id) => navigate(linkOf(kind, id) as never)
}
