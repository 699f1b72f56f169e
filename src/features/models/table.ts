import type { Selectable } from 'kysely'
import type { Json, RecordColumns } from '../../database/columns.ts'

/** What a field of `items` can be: the labels of its values. */
export const fieldLabels = [
  'Text',
  'Color',
  'DateTime',
  'DateTimeRange',
  'Boolean',
  'Integer',
  'Float',
  'Coordinates',
  'Quote',
  'Number',
  'Resource',
  'CardItem',
  'MicroblogPost',
  'PhotoSocialPost',
  'VideoSitePost',
  'SocialNetworkPost',
  'VideoHostPost',
  'AudioHostPost',
  'MusicPlaylist',
  'QuizPost',
  'BroadcasterPost',
  'BusinessHours',
  'String',
  'Strings',
  'Locations',
  'Addresses',
  'Events',
  'Sales',
  'ElementBox',
  'Publication',
  'Asset',
  'Person',
  'TagBox',
] as const
export type FieldLabel = (typeof fieldLabels)[number]

/** Bounds of a value; which of them a field can have depends on its label. */
export type Validations = {
  min_length?: number
  max_length?: number
  /** Moments are ISO 8601, as wide as they are written: a day as `max` holds all of that day. */
  min?: number | string
  max?: number | string
  /** In the syntax of RE2, found anywhere in the value; see pattern.ts. */
  pattern?: string
  values?: (string | number)[]
  min_items?: number
  max_items?: number
  /** Ids of the models that a reference may lead to. */
  models?: string[]
}

export type ModelField = {
  api_id: string
  label: FieldLabel
  title: string | null
  description: string | null
  /** Must be filled where a locale is Done. */
  required: boolean
  /** Otherwise stored once and shown in every linked locale. */
  localized: boolean
  filterable: boolean
  validations: Validations
  /** What a new publication gets where nothing is sent, in the form of a request. */
  default: unknown
}

export type ModelTable = RecordColumns & {
  body: string
  description: string | null
  /** Whether its publications can stand in containers. */
  stories: boolean
  /** Whether its publications can stand in channels. */
  channels: boolean
  fields: Json<ModelField[]>
}

export type ModelRow = Selectable<ModelTable>
