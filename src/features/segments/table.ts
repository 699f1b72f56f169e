import type { Generated, Selectable } from 'kysely'
import type { Json, RecordColumns } from '../../database/columns.ts'

export type Match = 'all' | 'any'

/** As they are sent, stored and shown; an item is a filter of persons or a group of its own. */
export type Rules = { match: Match; items: { [key: string]: Rules | Record<string, unknown> } }

export type SegmentTable = RecordColumns & {
  body: string
  rules: Json<Rules>
  total: Generated<number>
  status: Generated<'pending' | 'ready'>
  position: Generated<string>
  edges: string[]
  last_seen: Date | null
}

/** As `counted_segments` has it: the total with what is not added up yet. */
export type SegmentRow = Omit<Selectable<SegmentTable>, 'position' | 'edges'>

export type SegmentMemberTable = {
  environment_id: string
  segment_id: string
  person_key: string
  since: Generated<Date>
}
