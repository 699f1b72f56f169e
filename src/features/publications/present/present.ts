import { isoDate, presentBase } from '../../../http/schemas.ts'
import { presentStatus } from '../../statuses/present.ts'
import type { LocaleState, PublicationRow } from '../table.ts'
import { shownLocales, type View } from './view.ts'

type Shown = Pick<PublicationRow, 'id' | 'created_on' | 'changed_on' | 'locales' | 'state'>

/** Locale → what a state shows of it. */
export const perLocale = <T>(row: Shown, view: View, read: (state: LocaleState) => T): Record<string, T> =>
  Object.fromEntries(shownLocales(row, view).map((locale) => [locale, read(row.state[locale]!)]))

/** As lists show it. */
export const presentListed = (row: Shown, view: View) => ({
  ...presentBase('Publication', row),
  slug: perLocale(row, view, ({ slug }) => slug),
  publish_on: perLocale(row, view, ({ publish_on }) => moment(publish_on)),
  status: perLocale(row, view, ({ status_id }) => statusOf(view, status_id)),
})

export const presentPublication = (row: Shown, view: View) => ({
  ...presentListed(row, view),
  expire_on: perLocale(row, view, ({ expire_on }) => moment(expire_on)),
  locales: shownLocales(row, view),
})

const moment = (iso: string | null): string | null => (iso === null ? null : isoDate(new Date(iso)))

const statusOf = ({ structure }: View, id: string) => {
  const status = structure.statuses.get(id)
  return status ? presentStatus(status) : null
}
