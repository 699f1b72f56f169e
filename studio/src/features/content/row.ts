import type { Marquee } from 'marquee-sdk'
import type { Meaning } from '../../components/StatusMark.tsx'
import { t } from '../../texts/index.ts'

export type Publication = Marquee.ListedPublication

/** What a row shows beyond the base body. */
export const rowFields = 'title,locales,published,model{body},channels{name},updated_by{name}'

/** In the wanted locale, else in the first that has one. */
export const titleOf = (row: Pick<Publication, 'title'>, locale: string | undefined): string => {
  const titles = row.title ?? {}
  return (locale && titles[locale]) || Object.values(titles).find(Boolean) || t.common.unnamed
}

export const statusOf = (row: Publication, locale: string | undefined): string | undefined =>
  (row.status[locale ?? ''] ?? Object.values(row.status)[0])?.body

const meanings: Record<string, Meaning> = {
  'To do': 'none',
  'In progress': 'started',
  Review: 'waiting',
  Done: 'done',
  Archived: 'gone',
}
/** An environment's own statuses lie somewhere between begun and done. */
export const meaningOf = (status: string | undefined): Meaning => meanings[status ?? ''] ?? 'started'
