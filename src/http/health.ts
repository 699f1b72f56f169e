import { sql } from 'kysely'
import { type Static, Type } from 'typebox'
import type { Context } from '../context.ts'
import type { App } from './types.ts'

const Health = Type.Object({ message: Type.String({ examples: ['OK'] }) })
const probeEvery = 1000
const patience = 2000

type State = { ok: boolean; message: string }

/** At most one look at the database a second, however many ask; those that ask meanwhile share it. */
const databaseProbe = ({ db }: Context) => {
  let last: Promise<State> | undefined
  let at = Number.NEGATIVE_INFINITY
  const probe = async (): Promise<State> => {
    const late = new Promise<never>((_, reject) => setTimeout(reject, patience, new Error('timeout')).unref())
    try {
      await Promise.race([sql`select 1`.execute(db), late])
      return { ok: true, message: 'OK' }
    } catch {
      return { ok: false, message: 'The database cannot be reached' }
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

export const healthRoutes = (app: App, context: Context, isClosing: () => boolean): void => {
  const database = databaseProbe(context)
  const answer = async (closing: boolean): Promise<State> =>
    closing ? { ok: false, message: 'The server is shutting down' } : database()
  const schema = { response: { 200: Health, 503: Health } }

  app.get(
    '/livez',
    { config: { access: 'public' }, schema: { ...schema, summary: 'The process runs' } },
    async () => ({
      message: 'OK',
    }),
  )
  app.get(
    '/readyz',
    { config: { access: 'public' }, schema: { ...schema, summary: 'The process can take requests' } },
    async (_request, reply) => {
      const { ok, message } = await answer(isClosing())
      return reply.code(ok ? 200 : 503).send({ message } satisfies Static<typeof Health>)
    },
  )
  app.get(
    '/health',
    { config: { scopes: [] }, schema: { ...schema, summary: 'Whether every service is up' } },
    async (_request, reply) => {
      const { ok, message } = await answer(false)
      return reply.code(ok ? 200 : 503).send({ message })
    },
  )
}
