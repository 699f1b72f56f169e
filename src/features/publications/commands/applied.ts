import type { FieldError } from '../../../errors.ts'
import type { EnvironmentRow } from '../../access/table.ts'
import type { ModelRow } from '../../models/table.ts'
import type { Named } from '../fields/names.ts'
import type { Structure } from '../structure.ts'
import type { Publication, StoredItems, StoredValue } from '../table.ts'

/** What a write rests on. */
export type Writing = {
  environment: EnvironmentRow
  structure: Structure
  isForm: boolean
  now: Date
  /** A working copy may lack what is required. */
  isDraft?: boolean
  /** The label it is given; version 5 alone has others than Publication. */
  label?: string | undefined
}

/** A publication as a write would leave it, with what is wrong and what is still to be looked up. */
export type Applied = {
  after: Publication
  faults: FieldError[]
  /** What field values name; `resolveNames` completes the values. */
  names: Named[]
  /** Where read values stand. Looking their names up can show that one says nothing new. */
  placed: Placed[]
  /** Ids of users, channels and containers, by the path they were sent under. */
  users: Sent[]
  channels: Sent[]
  containers: Sent[]
  /** Slugs that were sent, which are taken as they are or refused. */
  slugs: Record<string, string>
}
type Placed = {
  items: StoredItems
  api_id: string
  values: Record<string, StoredValue | null>
  /** What stood there before. */
  stored: StoredValue | null
}
export type Sent = { path: string; id: string }

export type Input = Record<string, unknown>

/** What each step of applying looks at. */
export type Applying = Writing & { model: ModelRow | null; before: Publication; body: Input }
