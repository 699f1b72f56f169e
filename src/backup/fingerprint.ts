import { deriveKeys } from '../secrets.ts'

/** Tells whether two nodes or backups share a secret key, without telling the key. */
export const fingerprintOf = (secretKey: string): string =>
  deriveKeys(secretKey).sign('backup', 'fingerprint').slice(0, 16)
