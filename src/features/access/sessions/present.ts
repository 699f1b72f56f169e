import { presentBase } from '../../../http/schemas.ts'
import type { UserSessionRow } from '../table.ts'

const ttl = ({ expires_on }: UserSessionRow): number => Math.floor(expires_on.getTime() / 1000)

/** The fingerprint tells sessions apart and is of no use to sign in. */
export const presentSession = (row: UserSessionRow) => ({
  ...presentBase('Session', row),
  hash: row.hash.toString('hex').slice(0, 12),
  ttl: ttl(row),
  ip_address: row.ip_address,
})

/** For the audit log, which keeps no address of anybody. */
export const sessionSnapshot = (row: UserSessionRow) => ({
  ...presentBase('Session', row),
  ttl: ttl(row),
  user: { id: row.user_id },
})
