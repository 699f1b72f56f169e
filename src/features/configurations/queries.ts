import type { Db } from '../../database/connect.ts'
import { NotFound } from '../../errors.ts'
import type { ConfigurationRow } from './table.ts'

export const findConfigurationByBody = async (
  db: Db,
  environmentId: string,
  body: string,
): Promise<ConfigurationRow> => {
  const row = await db
    .selectFrom('configurations')
    .selectAll()
    .where('environment_id', '=', environmentId)
    .where('body', '=', body)
    .executeTakeFirst()
  if (!row) throw new NotFound('Configuration', body)
  return row
}
