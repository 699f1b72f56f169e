import type { Marquee } from 'marquee-sdk'
import { useRead } from '../../../api/queries.ts'
import { t } from '../../../texts/index.ts'

/** What a reference leads to, as it is shown. */
export type Named = { id: string; name: string; more?: string | undefined; picture?: string | undefined }

type Kind = { path: string; fields: string; named: (row: never, locale: string) => Named }

const titleIn = (title: Record<string, unknown> | undefined, locale: string): string =>
  ((title?.[locale] ?? Object.values(title ?? {}).find(Boolean)) as string | undefined) ?? t.common.unnamed

/** The smallest picture that is wide enough for a row. */
const pictureOf = ({ cdn_files = [], label }: Marquee.Asset): string | undefined => {
  const pictures = cdn_files.filter(
    ({ url, mime_type, label: kind }) =>
      url &&
      (kind?.startsWith('w_') || mime_type?.startsWith('image/')) &&
      (label !== 'Photo' || kind !== 'original'),
  )
  const [first] = pictures.sort((one, other) => (one.width ?? 9999) - (other.width ?? 9999))
  if (!first?.url || !URL.canParse(first.url)) return undefined
  const { pathname, search } = new URL(first.url)
  return pathname + search
}

export const kinds: Record<string, Kind> = {
  Publication: {
    path: '/publications',
    fields: 'title,model{body},published',
    named: ({ id, title, model }: Marquee.ListedPublication, locale) => ({
      id,
      name: titleIn(title, locale),
      more: model?.body,
    }),
  },
  Asset: {
    path: '/assets',
    fields: 'cdn_files',
    named: (asset: Marquee.Asset) => ({
      id: asset.id,
      name: asset.name || asset.original_name || t.common.unnamed,
      more: asset.label,
      picture: pictureOf(asset),
    }),
  },
  Person: {
    path: '/persons',
    fields: '',
    named: ({ id, first_name, last_name, nickname }: Marquee.Person) => ({
      id,
      name: [first_name, last_name].filter(Boolean).join(' ') || nickname || t.common.unnamed,
    }),
  },
  Channel: {
    path: '/channels',
    fields: '',
    named: ({ id, name }: { id: string; name: string }) => ({ id, name }),
  },
  Container: {
    path: '/containers',
    fields: '',
    named: ({ id, body }: { id: string; body: string }) => ({ id, name: body }),
  },
  TagBox: {
    path: '/tags',
    fields: '',
    named: ({ id, body }: { id: string; body: string }) => ({ id, name: body }),
  },
}

type Page = { items: never[] } | undefined

const useList = (label: string, query: object, enabled: boolean, locale: string): Named[] => {
  const { path, fields, named } = kinds[label]!
  const asked = { total: false, ...(fields && { fields }), ...query }
  const found = useRead(path as '/tags', { query: asked as never }, { enabled })
  return ((found.data as Page)?.items ?? []).map((row) => named(row, locale))
}

/** What these ids stand for, asked for all at once. */
export const useNamed = (label: string, ids: string[], locale: string): Map<string, Named> => {
  const known = ids.slice(0, 500)
  const query = { 'id[in]': known.join(','), limit: 500 }
  const rows = useList(label, query, ids.length > 0, locale)
  return new Map(rows.map((row) => [row.id, row]))
}

/** What a search finds; without words the newest. */
export const useFound = (
  label: string,
  words: string,
  enabled: boolean,
  locale: string,
  models: string[],
): Named[] => {
  const only = label === 'Publication' && models.length > 0 ? { 'model[in]': models.join(',') } : {}
  return useList(label, { limit: 12, ...(words && { q: words }), ...only }, enabled, locale)
}
