import { type Static, Type } from 'typebox'
import type { Tx } from '../../../database/connect.ts'
import { transaction } from '../../../database/transaction.ts'
import { invalid } from '../../../errors.ts'
import { IdParams, Nothing } from '../../../http/schemas.ts'
import type { Routes } from '../../../http/types.ts'
import type { Actor } from '../../access/authenticate.ts'
import { viewOf } from '../../publications/present/view.ts'
import { findPublication } from '../../publications/queries.ts'
import { findPersons } from '../queries.ts'
import { personBySession } from '../sessions.ts'
import type { Person } from '../table.ts'
import { removeLink, setLink } from './commands.ts'

const Secret = Type.String({
  maxLength: 200,
  description: 'The session of the person; not needed with a personal token',
})
const Query = Type.Object({ session_hash: Type.Optional(Secret) }, { additionalProperties: false })
/** Nothing, or the session. */
const Session = Type.Unsafe<Static<typeof Query> | null>({
  type: ['object', 'null'],
  properties: { session_hash: Secret },
  additionalProperties: false,
})

const actions = [
  { name: 'like', reverse: 'unlike', kind: 'Like', summary: 'Like a Publication', back: 'Take a like back' },
  {
    name: 'subscribe',
    reverse: 'unsubscribe',
    kind: 'Subscribe',
    summary: 'Subscribe to a Publication',
    back: 'End a subscription',
  },
] as const

/** What persons like and are subscribed to, set by themselves. */
export const personLinkRoutes: Routes = (app, context) => {
  const config = { scopes: ['publications', 'persons_me'], personal: true } as const
  const schema = { params: IdParams, querystring: Query, response: { 204: Nothing } }

  const run = async (
    actor: Actor,
    id: string,
    secret: string | undefined,
    work: typeof setLink,
    kind: 'Like' | 'Subscribe',
  ) => {
    const view = await viewOf(context, actor, {})
    const { id: publicationId } = await findPublication(context.db, actor.environment_id, id, view)
    await transaction(context, async (tx) =>
      work(tx, actor, await personOf(tx, actor, secret), kind, publicationId),
    )
  }

  for (const { name, reverse, kind, summary, back } of actions) {
    for (const [path, work, text] of [
      [name, setLink, summary],
      [reverse, removeLink, back],
    ] as const)
      app.post(
        `/publications/:id/${path}`,
        { config, schema: { ...schema, summary: text, body: Session } },
        async ({ actor, params, query, body }, reply) => {
          await run(actor, params.id, query.session_hash ?? body?.session_hash, work, kind)
          return reply.code(204).send(null)
        },
      )
    app.delete(
      `/publications/:id/${name}`,
      { config, schema: { ...schema, summary: back } },
      async ({ actor, params, query }, reply) => {
        await run(actor, params.id, query.session_hash, removeLink, kind)
        return reply.code(204).send(null)
      },
    )
  }
}

/** A personal token is its person's; a session beside it must be one of the same. */
const personOf = async (
  tx: Tx,
  { environment_id, person_key }: Actor,
  secret: string | undefined,
): Promise<Person> => {
  if (secret === undefined && person_key === null) throw invalid('session_hash', 'is required')
  const key = secret === undefined ? person_key : (await personBySession(tx, environment_id, secret))?.key
  const isAnother = person_key !== null && key !== person_key
  const [person] = key == null || isAnother ? [] : await findPersons(tx, environment_id, 'key', [key], true)
  if (!person) throw invalid('session_hash', 'is not an open session of a person')
  return person
}
