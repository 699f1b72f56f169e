import type { Actor } from '../../access/authenticate.ts'
import type { LocaleState, ShownRow } from '../table.ts'

type Row = Pick<ShownRow, 'locales' | 'state'>

/** The locale that version 5 shows; of a publication that is linked to none, one that it has a state of. */
export const mainOf = ({ locales, state }: Row): LocaleState | undefined => {
  const main = locales.find((locale) => state[locale]!.main)
  return main === undefined ? Object.values(state)[0] : state[main]
}

/** Who sees only what is published sees it in the one locale that is shown. */
export const isSeen = ({ token }: Partial<Pick<Actor, 'token'>>, row: Row): boolean =>
  token?.visibility !== 'published' || row.locales.some((one) => isPublishedMain(row.state[one]!))

const isPublishedMain = ({ main, published }: LocaleState): boolean => main && published
