/** Held, shared, by whoever takes a backup: no stored bytes are removed meanwhile. */
export const backupLock = [7011, 1] as const
