import { linkedLocales } from './facets.ts'
import type { LocaleState, Publication } from './table.ts'

type Dated = Pick<LocaleState, 'status_id' | 'publish_on' | 'expire_on'>

/** Done, begun and not over. */
export const isPublishedAt = (
  { status_id, publish_on, expire_on }: Dated,
  doneId: string,
  at: number,
): boolean =>
  status_id === doneId &&
  (publish_on === null || Date.parse(publish_on) <= at) &&
  (expire_on === null || Date.parse(expire_on) > at)

/** Sets what readers see as of now; the clock does the same when a moment comes. */
export const settlePublished = (publication: Publication, doneId: string, now: Date): void => {
  for (const state of Object.values(publication.locales)) {
    const { linked, status_id, expire_on } = state
    state.published = linked && isPublishedAt(state, doneId, now.getTime())
    state.expired =
      linked && status_id === doneId && expire_on !== null && Date.parse(expire_on) <= now.getTime()
  }
}

/** Sets which locale version 5 shows. */
export const settleMain = (publication: Publication, defaultLocale: string): void => {
  const linked = linkedLocales(publication)
  const main = linked.includes(defaultLocale) ? defaultLocale : linked[0]
  for (const [locale, state] of Object.entries(publication.locales)) state.main = locale === main
}

/** The next moment at which a locale becomes published or unpublished without any write. */
export const nextChange = ({ locales }: Publication, doneId: string, now: Date): Date | null => {
  const moments = Object.values(locales)
    .filter(({ linked, status_id }) => linked && status_id === doneId)
    .flatMap(({ publish_on, expire_on }) => [publish_on, expire_on])
    .flatMap((moment) => (moment === null ? [] : [Date.parse(moment)]))
    .filter((moment) => moment > now.getTime())
  return moments.length > 0 ? new Date(Math.min(...moments)) : null
}
