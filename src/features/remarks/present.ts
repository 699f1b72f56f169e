import { presentBase } from '../../http/schemas.ts'
import type { RemarkRow } from './table.ts'

export const presentRemark = (row: RemarkRow) => ({
  ...presentBase('Remark', row),
  last_seen: null,
  body: row.body,
})
