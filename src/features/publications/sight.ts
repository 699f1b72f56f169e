import { Forbidden } from '../../errors.ts'
import type { Actor } from '../access/authenticate.ts'

/** Working copies, the past and what is to come are not for tokens that see only what is published. */
export const requireFullSight = ({ token }: Actor): void => {
  if (token.visibility === 'published')
    throw new Forbidden('the token sees only what is published', { type: 'PublishedOnly' })
}
