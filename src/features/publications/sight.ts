import { Forbidden, NotFound } from '../../errors.ts'
import type { Actor } from '../access/authenticate.ts'
import type { PublicationRow } from './table.ts'

/** Working copies, the past and what is to come are not for tokens that see only what is published. */
export const requireFullSight = ({ token }: Actor): void => {
  if (token.visibility === 'published')
    throw new Forbidden('the token sees only what is published', { type: 'PublishedOnly' })
}

/** What a token does not see is not there to be written. */
export const requireSight = ({ token }: Partial<Pick<Actor, 'token'>>, row: PublicationRow): void => {
  if (token?.visibility === 'published' && !row.locales.some((locale) => row.state[locale]!.published))
    throw new NotFound('Publication', row.id)
}
