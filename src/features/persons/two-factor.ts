import type { Tx } from '../../database/connect.ts'
import { conflict } from '../../errors.ts'
import type { Keys } from '../../secrets.ts'
import type { Actor } from '../access/authenticate.ts'
import { newTotp } from '../access/totp.ts'
import { replacePerson } from './commands.ts'
import { lockPerson } from './queries.ts'

const none = { totp_secret: null, totp_confirmed: false, totp_last_step: null }

/** Starts enrolment; nothing is asked at sign-in before a first `two_factor_code` has shown that it works. */
export const startTwoFactor = async (tx: Tx, keys: Keys, actor: Actor, id: string) => {
  const before = await lockPerson(tx, actor.environment_id, id)
  if (before.totp_confirmed) throw conflict('two_factor', 'is enrolled already')
  const { secret, uri, sealed } = newTotp(keys, before.emails[0]?.email ?? before.id)
  await replacePerson(tx, actor, before, { ...before, ...none, totp_secret: sealed })
  return { secret, uri }
}

/** For somebody who lost it: whoever may write persons may also give them a new password. */
export const removeTwoFactor = async (tx: Tx, actor: Actor, id: string): Promise<void> => {
  const before = await lockPerson(tx, actor.environment_id, id)
  if (before.totp_secret === null) throw conflict('two_factor', 'is not enrolled')
  await replacePerson(tx, actor, before, { ...before, ...none })
}
