import { presentBase } from '../../../http/schemas.ts'
import type { EnvironmentRow } from '../table.ts'

export const presentEnvironment = (row: EnvironmentRow) => ({
  ...presentBase('Environment', row),
  name: row.name,
  locales: row.locales,
  default_locale: row.default_locale,
  time_zone: row.time_zone,
  settings: row.settings,
})
