import type { FastifyReply } from 'fastify'
import { sql } from 'kysely'
import { Type } from 'typebox'
import type { Context } from '../context.ts'
import { patience, within } from './patience.ts'
import type { App } from './types.ts'

const Health = Type.Object({ message: Type.String({ examples: ['OK'] }) })
const probeEvery = 1000

type State = { reached: boolean; stuck: boolean }

/** At most one look at the database a second, however many ask; those that ask meanwhile share it. */
const databaseProbe = ({ db }: Context) => {
  let last: Promise<State> | undefined
  let at = Number.NEGATIVE_INFINITY
  const probe = async (): Promise<State> => {
    try {
      // An event is dispatched within a second; one that waits for a minute waits for nobody.
      const looking = sql<{ stuck: boolean | null }>`select (select created_on < now() - interval '60 seconds'
        from outbox order by id limit 1) as stuck`.execute(db)
      const { rows } = await within(patience, looking)
      return { reached: true, stuck: rows[0]!.stuck === true }
    } catch {
      return { reached: false, stuck: false }
    }
  }
  return (): Promise<State> => {
    if (performance.now() - at >= probeEvery) {
      at = performance.now()
      last = probe()
    }
    return last!
  }
}

/** `fault` is what is wrong, if anything is. */
const answer = (reply: FastifyReply, fault: string | false): FastifyReply => {
  if (fault) reply.code(503).header('Retry-After', '1')
  return reply.send({ message: fault || 'OK' })
}

export const healthRoutes = (app: App, context: Context, isClosing: () => boolean): void => {
  const database = databaseProbe(context)
  const unreachable = 'The database cannot be reached'
  const schema = { response: { 200: Health, 503: Health } }
  // Probes carry whatever their sender is set up with; it does not concern us.
  const probe = { ...schema, querystring: Type.Object({}) }

  app.get(
    '/livez',
    { config: { access: 'public' }, schema: { ...probe, summary: 'The process runs' } },
    async (_request, reply) => answer(reply, false),
  )
  app.get(
    '/readyz',
    { config: { access: 'public' }, schema: { ...probe, summary: 'The process can take requests' } },
    async (_request, reply) => {
      if (isClosing()) return answer(reply, 'The server is shutting down')
      return answer(reply, !(await database()).reached && unreachable)
    },
  )
  app.get(
    '/health',
    { config: { scopes: [] }, schema: { ...schema, summary: 'Whether every service is up' } },
    async (_request, reply) => {
      const { reached, stuck } = await database()
      return answer(reply, reached ? stuck && 'Events are not dispatched' : unreachable)
    },
  )
}
