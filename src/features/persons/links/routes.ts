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
import { keyBySession } from '../sessions.ts'
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

  /** What a reader cannot see any more can still be let go of. */
  const run = async (
    actor: Actor,
    id: string,
    secret: string | undefined,
    work: typeof setLink | typeof removeLink,
    kind: 'Like' | 'Subscribe',
  ) => {
    const look = async () =>
      findPublication(context.db, actor.environment_id, id, await viewOf(context, actor, {}))
    if (work === setLink) await look()
    const done = await transaction(context, async (tx) =>
      work(tx, actor, await personOf(tx, actor, secret), kind, id),
    )
    if (done === false) await look()
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

const personOf = async (tx: Tx, actor: Actor, secret: string | undefined): Promise<Person> => {
  const key = await keyBySession(tx, actor, secret)
  const [person] = key === undefined ? [] : await findPersons(tx, actor.environment_id, 'key', [key], true)
  if (!person) throw invalid('session_hash', 'is not an open session of a person')
  return person
}
