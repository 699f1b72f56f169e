import { presentBase } from '../../../http/schemas.ts'
import type { AnySession } from './queries.ts'

const ttl = ({ expires_on }: AnySession): number => Math.floor(expires_on.getTime() / 1000)

/** The fingerprint tells sessions apart and is of no use to sign in. */
export const presentSession = (row: AnySession) => ({
  ...presentBase('Session', row),
  hash: row.hash.toString('hex').slice(0, 12),
  ttl: ttl(row),
  ip_address: row.ip_address,
})

/** For the audit log, which keeps no address of anybody, and of persons not even who it was: they may be erased. */
export const sessionSnapshot = (row: AnySession) => ({
  ...presentBase('Session', row),
  ttl: ttl(row),
  ...('user_id' in row && { user: { id: row.user_id } }),
})
