import { conflict, type FieldError } from '../../errors.ts'
import type { Keys } from '../../secrets.ts'
import { stepOf } from '../access/totp.ts'
import type { Person } from './table.ts'

type Confirmed = Pick<Person, 'totp_confirmed' | 'totp_last_step'>

const newStep = (keys: Keys, { totp_secret, totp_last_step }: Person, code: string): number | undefined => {
  const step = stepOf(keys, totp_secret, code)
  return step !== undefined && step > Number(totp_last_step ?? 0) ? step : undefined
}

export const codeFaults = (keys: Keys, before: Person, code: string | undefined): FieldError[] => {
  const isAsked = code !== undefined && before.totp_secret !== null && !before.totp_confirmed
  return isAsked && newStep(keys, before, code) === undefined
    ? [{ path: 'two_factor_code', message: 'is not valid now' }]
    : []
}

/** Completes an enrolment that was started. */
export const confirmCode = (keys: Keys, before: Person, code: string | undefined): Partial<Confirmed> => {
  if (code === undefined) return {}
  if (before.totp_confirmed) throw conflict('two_factor_code', 'an authenticator app is enrolled already')
  if (before.totp_secret === null) throw conflict('two_factor_code', 'no authenticator app is being enrolled')
  return { totp_confirmed: true, totp_last_step: String(newStep(keys, before, code)!) }
}
