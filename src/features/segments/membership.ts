import type { Tx } from '../../database/connect.ts'

/** Brings the membership of these persons in line with what they are now. */
export const refreshMembership = async (_tx: Tx, _environmentId: string, _keys: string[]): Promise<void> => {}
