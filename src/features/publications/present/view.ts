import type { Context } from '../../../context.ts'
import type { Actor } from '../../access/authenticate.ts'
import { type Structure, structureOf } from '../structure.ts'
import type { ShownRow, StoredItems } from '../table.ts'

/** How publications are looked at: by whom, in which locale. */
export type View = {
  structure: Structure
  defaultLocale: string
  /** Only this one; all linked ones without it. */
  locale: string | undefined
  /** Missing fields are filled from the default locale. */
  fallback: boolean
  publishedOnly: boolean
  /** What addresses of files are made with. */
  signing?: Pick<Context, 'config' | 'keys'>
  /** Content that is shown in place of what stands in the database now. */
  contents?: Content[] | undefined
}
export type Content = { id: string; locale: string; items: StoredItems }

/** Nobody looks through it: it only says which names there are. */
export const anyView = { locale: undefined, fallback: false, publishedOnly: false, defaultLocale: '' } as View

export type Looking = { locale?: string | undefined; fallback?: boolean }

export const viewOf = async (
  context: Context,
  actor: Actor,
  { locale, fallback = false }: Looking,
): Promise<View> => ({
  structure: await structureOf(context, actor.environment_id),
  defaultLocale: actor.environment.default_locale,
  locale,
  fallback,
  publishedOnly: actor.token.visibility === 'published',
  signing: context,
})

/** The locales of a publication that are shown in this view. */
export const shownLocales = (row: Pick<ShownRow, 'locales' | 'state'>, view: View): string[] =>
  row.locales.filter(
    (locale) =>
      (view.locale === undefined || view.locale === locale) &&
      (!view.publishedOnly || row.state[locale]!.published),
  )
