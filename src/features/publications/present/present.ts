import { presentBase } from '../../../http/schemas.ts'
import { presentStatus } from '../../statuses/present.ts'
import type { StatusRow } from '../../statuses/table.ts'
import type { LocaleState, ShownRow } from '../table.ts'
import { shownLocales, type View } from './view.ts'

type Shown = Pick<ShownRow, 'id' | 'created_on' | 'changed_on' | 'locales' | 'state'>

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

/** Kept in UTC, so the seconds and the offset are all there is to say. */
export const moment = (iso: string | null): string | null =>
  iso === null ? null : `${iso.slice(0, 19)}+00:00`

/** A page shows the same few statuses again and again. */
const shownStatuses = new WeakMap<StatusRow, ReturnType<typeof presentStatus>>()

const statusOf = ({ structure }: View, id: string) => {
  const status = structure.statuses.get(id)
  if (!status) return null
  const known = shownStatuses.get(status)
  if (known) return known
  const shown = presentStatus(status)
  shownStatuses.set(status, shown)
  return shown
}
