import { presentBase } from '../../http/schemas.ts'
import type { ConfigurationRow } from './table.ts'

export const presentConfiguration = (row: ConfigurationRow) => ({
  ...presentBase('Configuration', row),
  body: row.body,
  settings: row.settings,
})
