import { type Static, Type } from 'typebox'
import { Body, base, Changes, Text } from '../../../http/schemas.ts'
import { Choice, Reference, Scopes } from '../schemas.ts'
import { visibilities } from '../table.ts'

const name = Text(200, { examples: ['Mobile app'] })
const optional = { visibility: Choice(visibilities), user: Reference }

export const ApplicationBody = Body({ ...Changes(optional).properties, name, scopes: Scopes }, ['client_id'])
export const ApplicationChanges = Changes({ ...optional, name, scopes: Scopes }, ['client_id'])
export type ApplicationBody = Static<typeof ApplicationBody>
export type ApplicationChanges = Static<typeof ApplicationChanges>

export const ClientSecret = { client_secret: Type.String({ description: 'Shown once' }) }

export const Application = Type.Object(
  {
    ...base('Application'),
    name,
    client_id: Type.String(),
    scopes: Type.Array(Type.String()),
    visibility: Choice(visibilities),
    user: Reference,
  },
  { title: 'Application' },
)
