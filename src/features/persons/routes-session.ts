import { Type } from 'typebox'
import { NotFound } from '../../errors.ts'
import { isUnchanged } from '../../http/etag.ts'
import { type Expansions, present } from '../../http/expand.ts'
import { FieldsQuery, withExpansions } from '../../http/records.ts'
import type { Routes } from '../../http/types.ts'
import { personExpansionsV5, presentPersonV5 } from './present-v5.ts'
import { findPersons } from './queries.ts'
import { PersonV5 } from './schema-v5.ts'
import { keyBySession } from './sessions.ts'
import type { PersonRow } from './table.ts'

const Query = Type.Object(
  {
    ...FieldsQuery.properties,
    session_hash: Type.Optional(
      Type.String({
        maxLength: 200,
        description: 'The secret of the session; not needed with a personal token',
      }),
    ),
  },
  { additionalProperties: false },
)

/** What persons may see of themselves; the rest is for who may read persons. */
const shown = new Set([
  'description',
  'biography',
  'age',
  'date_of_birth',
  'picture',
  'email',
  'phone',
  'tags',
  'social_media_handle',
])

export const personSessionRoutesV5: Routes = (app, { db, keys }) => {
  const expansions: Expansions<PersonRow> = Object.fromEntries(
    Object.entries(personExpansionsV5(keys)).filter(([name]) => shown.has(name)),
  )
  app.get(
    '/persons/session',
    {
      config: { scopes: [], personal: true, expansions, record: PersonV5 },
      schema: {
        summary: 'Read the Person of a session or of a personal token',
        querystring: Query,
        response: { 200: withExpansions(PersonV5, expansions) },
      },
    },
    async (request, reply) => {
      const { actor, query, selection } = request
      const key = await keyBySession(db, actor, query.session_hash)
      const [person] = key === undefined ? [] : await findPersons(db, actor.environment_id, 'key', [key])
      if (!person) throw new NotFound('Session', '')
      const [body] = await present(db, actor, [person], presentPersonV5, expansions, selection)
      if (isUnchanged(request, reply, person.version, body))
        return reply.code(304 as 200).send(undefined as never)
      return reply.send(body as never)
    },
  )
}
