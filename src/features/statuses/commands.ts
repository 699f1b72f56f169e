import { randomUUIDv7 } from 'node:crypto'
import type { Tx } from '../../database/connect.ts'

/** In the order of the workflow; version 5 calls them draft, pending, approval, published and unpublished. */
export const builtInStatuses = ['To do', 'In progress', 'Review', 'Done', 'Archived'] as const

export const addBuiltInStatuses = async (tx: Tx, environmentId: string): Promise<void> => {
  const rows = builtInStatuses.map((body) => ({
    environment_id: environmentId,
    id: randomUUIDv7(),
    body,
    built_in: true,
  }))
  await tx.insertInto('statuses').values(rows).execute()
}
