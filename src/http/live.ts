import type { FastifyInstance } from 'fastify'
import { atOnce } from './hooks.ts'

/**
 * A connection of HTTP/1.1 with an answer that never ends carries nothing else: whatever is asked behind it would wait
 * for ever, and hold its place among those who are served.
 */
export const keepLiveAlone = (app: FastifyInstance): void => {
  const connections = new WeakMap<object, { open: number; live: number }>()
  app.addHook(
    'onRequest',
    atOnce(({ raw, routeOptions }, reply) => {
      if (raw.httpVersionMajor !== 1) return
      const { socket } = raw
      const on = connections.get(socket) ?? { open: 0, live: 0 }
      const live = routeOptions.config?.live ? 1 : 0
      connections.set(socket, on)
      on.open += 1
      on.live += live
      reply.raw.once('close', () => {
        on.open -= 1
        on.live -= live
      })
      if (on.live > 0 && on.open > 1) socket.destroy()
    }),
  )
}
