import { isoDateOrNull } from '../../dates.ts'
import { presentBase } from '../../http/schemas.ts'
import type { SegmentRow } from './table.ts'

export const presentSegment = (row: SegmentRow) => ({
  ...presentBase('Segment', row),
  body: row.body,
  rules: row.rules,
  total: row.total,
  status: row.status,
  last_seen: isoDateOrNull(row.last_seen),
})
