import { presentBase } from '../../http/schemas.ts'
import type { RemarkRow } from './table.ts'

export const presentRemark = (row: RemarkRow) => ({
  ...presentBase('Remark', row),
  last_seen: null,
  body: row.body,
})

/** For events. What is said of a person stands in the remark alone: persons may be erased. */
export const remarkSnapshot = (row: RemarkRow) =>
  row.person_key === null ? presentRemark(row) : presentBase('Remark', row)
