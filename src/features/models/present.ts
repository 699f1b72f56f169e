import type { Expansions } from '../../http/expand.ts'
import { Nullable, presentBase } from '../../http/schemas.ts'
import { commonExpansions } from '../access/expansions.ts'
import { ModelFields } from './schema.ts'
import type { ModelField, ModelRow } from './table.ts'
import { titleField } from './title.ts'

export const presentModel = (row: ModelRow) => ({
  ...presentBase('PublicationModel', row),
  body: row.body,
  description: row.description,
  stories: row.stories,
  channels: row.channels,
})

/** jsonb keeps the order of the fields but not that of their properties. */
const presentField = (field: ModelField): ModelField => ({
  api_id: field.api_id,
  label: field.label,
  title: field.title,
  description: field.description,
  required: field.required,
  localized: field.localized,
  filterable: field.filterable,
  validations: field.validations,
  default: field.default,
})

/** What happened to a model is told with all of it. */
export const describeModel = (row: ModelRow) => ({
  ...presentModel(row),
  fields: row.fields.map(presentField),
})

export const modelExpansions: Expansions<ModelRow> = {
  ...commonExpansions,
  fields: {
    schema: ModelFields,
    inner: [
      'api_id',
      'label',
      'title',
      'description',
      'required',
      'localized',
      'filterable',
      'validations',
      'default',
    ],
    load: async () => (row) => row.fields.map(presentField),
  },
  title: {
    schema: Nullable('string', {
      description: 'The api_id of the field that gives publications their title',
    }),
    load: async () => (row) => titleField(row.fields)?.api_id ?? null,
  },
}
