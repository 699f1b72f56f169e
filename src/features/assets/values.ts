import type { FieldError } from '../../errors.ts'
import type { Actor } from '../access/authenticate.ts'
import type { TagInput } from './tags.ts'

type Texts = Record<string, string>

/** What people say about an asset, as columns. */
export type AssetValues = {
  name?: string | null
  body?: string | null
  author?: string | null
  reference_id?: string | null
  copyright?: string | null
  folder?: string | null
  private?: boolean
  alt?: Texts
  caption?: Texts
  focal_x?: number | null
  focal_y?: number | null
}

/** The same, as a body says it. */
export type AssetWords = Omit<AssetValues, 'alt' | 'caption' | 'focal_x' | 'focal_y'> & {
  alt?: Record<string, string | null> | null
  caption?: Record<string, string | null> | null
  focal_point?: { x: number; y: number } | null
  tags?: TagInput[] | { items: TagInput[] } | null
}

/** The columns that a body changes. Texts of locales that are not sent stay; null takes one away. */
export const valuesOf = (words: AssetWords, before: { alt?: Texts; caption?: Texts } = {}): AssetValues => {
  const { alt, caption, focal_point, tags: _, folder, ...plain } = words
  return {
    ...plain,
    ...(folder !== undefined && { folder: plainFolder(folder) }),
    ...(alt !== undefined && { alt: merged(before.alt, alt) }),
    ...(caption !== undefined && { caption: merged(before.caption, caption) }),
    ...(focal_point !== undefined && { focal_x: focal_point?.x ?? null, focal_y: focal_point?.y ?? null }),
  }
}

/** Without slashes at its ends; the top is no folder. */
const plainFolder = (folder: string | null): string | null =>
  (folder ?? '')
    .split('/')
    .map((part) => part.trim())
    .filter(Boolean)
    .join('/') || null

const merged = (before: Texts = {}, sent: Record<string, string | null> | null): Texts =>
  sent === null
    ? {}
    : (Object.fromEntries(
        Object.entries({ ...before, ...sent }).filter(([, text]) => text !== null && text !== ''),
      ) as Texts)

export const tagsIn = ({ tags }: AssetWords): TagInput[] | undefined => {
  if (tags === undefined) return undefined
  return Array.isArray(tags) ? tags : (tags?.items ?? [])
}

export const localeFaults = ({ environment }: Actor, words: AssetWords): FieldError[] =>
  (['alt', 'caption'] as const).flatMap((name) =>
    Object.keys(words[name] ?? {})
      .filter((locale) => !environment.locales.includes(locale))
      .map((locale) => ({ path: `${name}.${locale}`, message: 'is not a locale of this environment' })),
  )
