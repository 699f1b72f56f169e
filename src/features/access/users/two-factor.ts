import { sql } from 'kysely'
import type { Tx } from '../../../database/connect.ts'
import { conflict, invalid } from '../../../errors.ts'
import { emit } from '../../../events.ts'
import type { Keys } from '../../../secrets.ts'
import type { Actor } from '../authenticate.ts'
import { aboveEnvironments } from '../authority.ts'
import { updateRow } from '../rows.ts'
import type { UserRow } from '../table.ts'
import { newTotp, stepOf } from '../totp.ts'
import { presentOwnUser } from './present.ts'

/** Starts enrolment; nothing is asked at sign-in before a first code has shown that it works. */
export const startTwoFactor = async (tx: Tx, keys: Keys, actor: Actor, user: UserRow) => {
  if (user.totp_confirmed) throw conflict('two_factor', 'is enrolled already')
  const { secret, uri, sealed } = newTotp(keys, user.email)
  await setTwoFactor(tx, actor, user, { totp_secret: sealed, totp_last_step: null })
  return { secret, uri }
}

export const confirmTwoFactor = async (tx: Tx, keys: Keys, actor: Actor, user: UserRow, code: string) => {
  if (user.totp_confirmed) throw conflict('two_factor', 'is enrolled already')
  if (!user.totp_secret) throw conflict('two_factor', 'is not being enrolled')
  await requireCode(tx, keys, user, code)
  return setTwoFactor(tx, actor, user, { totp_confirmed: true })
}

export const removeTwoFactor = async (tx: Tx, keys: Keys, actor: Actor, user: UserRow, code: string) => {
  if (!user.totp_confirmed) throw conflict('two_factor', 'is not enrolled')
  await requireCode(tx, keys, user, code)
  return setTwoFactor(tx, actor, user, { totp_confirmed: false, totp_secret: null, totp_last_step: null })
}

const setTwoFactor = async (tx: Tx, actor: Actor, user: UserRow, values: object): Promise<UserRow> => {
  const row = await updateRow(tx, 'users', user, { ...values })
  await emit(tx, aboveEnvironments(actor), 'user.changed', row, presentOwnUser(row))
  return row
}

const requireCode = async (tx: Tx, keys: Keys, user: UserRow, code: string): Promise<void> => {
  if (!(await spendCode(tx, keys, user, code))) throw invalid('two_factor_code', 'is not valid now')
}

/**
 * Whether a code is right within a step of now, and new: the step is written down under a condition, so of
 * many that come with the same code together only one passes.
 */
export const spendCode = async (
  tx: Tx,
  keys: Keys,
  { id, totp_secret }: UserRow,
  code: string,
): Promise<boolean> => {
  const step = stepOf(keys, totp_secret, code)
  if (step === undefined) return false
  const { rows } = await sql`update users set totp_last_step = ${step}
    where id = ${id} and (totp_last_step is null or totp_last_step < ${step}) returning id`.execute(tx)
  return rows.length === 1
}
