import { type Static, Type } from 'typebox'
import { Body, base, Changes, Text } from '../../http/schemas.ts'

const fields = {
  area: Type.String({
    pattern: '^[a-z][a-z0-9_-]{0,63}$',
    description: 'The list that it is a view of',
    examples: ['content'],
  }),
  name: Text(100, { examples: ['Waiting for review'] }),
  query: Type.String({
    maxLength: 8000,
    description: 'Filters, search and sort as they stand behind the ? of an address',
    examples: ['status[in]=Review&sort=-changed_on'],
  }),
  shared: Type.Boolean({ description: 'true: all of the environment see it; false: only its user' }),
  position: Type.Integer({ minimum: 0, maximum: 10_000, description: 'Its place among the others' }),
}

const { area, name, query } = fields
const optional = Changes(fields).properties
export const ViewBody = Body({ ...optional, area, name, query })
export const ViewChanges = Body(optional)
export type ViewBody = Static<typeof ViewBody>
export type ViewChanges = Static<typeof ViewChanges>

export const View = Type.Object({ ...base('View'), ...fields }, { title: 'View' })
