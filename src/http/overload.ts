import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { FastifyInstance } from 'fastify'
import { Unavailable } from '../errors.ts'

/** More than this at once only makes everybody wait; the database has 20 connections per process. */
const maxInFlight = 400
const maxDelay = 250

/** Refuses with 503 and Retry-After before an overload becomes slowness. Probes are always answered. */
export const refuseOverload = (app: FastifyInstance): { inFlight(): number; delay(): number } => {
  let inFlight = 0
  let delay = 0
  const histogram = monitorEventLoopDelay({ resolution: 10 })
  histogram.enable()
  const timer = setInterval(() => {
    delay = histogram.percentile(90) / 1e6
    histogram.reset()
  }, 500).unref()

  app.addHook('onRequest', async (request, reply) => {
    inFlight += 1
    reply.raw.once('close', () => {
      inFlight -= 1
    })
    if (request.url.startsWith('/livez') || request.url.startsWith('/readyz')) return
    if (inFlight > maxInFlight || delay > maxDelay) throw new Unavailable('overloaded', 1)
  })
  app.addHook('onClose', async () => {
    clearInterval(timer)
    histogram.disable()
  })
  return { inFlight: () => inFlight, delay: () => delay }
}
