import { presentBase } from '../../http/schemas.ts'
import type { ViewRow } from './table.ts'

export const presentView = (row: ViewRow) => ({
  ...presentBase('View', row),
  area: row.area,
  name: row.name,
  query: row.query,
  shared: row.user_id === null,
  position: row.position,
})
