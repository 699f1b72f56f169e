import { isoDate } from '../../../dates.ts'
import type { FallbackRow } from './fallback.ts'

export const presentFallback = (row: FallbackRow | undefined) =>
  row ? { since: isoDate(row.since), lift: Number(row.lift.toPrecision(4)) } : null
