import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { FastifyInstance } from 'fastify'
import { Unavailable } from '../errors.ts'
import type { Limits } from './limits.ts'

/** Milliseconds that nine of ten turns of the event loop may take. */
const maxDelay = 250
const probes = new Set(['/livez', '/readyz'])

/**
 * Refuses with 503 and Retry-After before an overload becomes slowness. Probes are always answered. One long
 * turn of the event loop is no overload: only two bad half seconds after each other are.
 */
export const refuseOverload = (
  app: FastifyInstance,
  limits: Limits,
): { inFlight(): number; delay(): number } => {
  let inFlight = 0
  let delay = 0
  let before = 0
  const histogram = monitorEventLoopDelay({ resolution: 10 })
  histogram.enable()
  const timer = setInterval(() => {
    before = delay
    delay = histogram.percentile(90) / 1e6
    histogram.reset()
  }, 500).unref()

  app.addHook('onRequest', async (request, reply) => {
    inFlight += 1
    reply.raw.once('close', () => {
      inFlight -= 1
    })
    if (probes.has(request.routeOptions.url ?? '')) return
    if (inFlight > limits.inFlight || Math.min(delay, before) > maxDelay)
      throw new Unavailable('overloaded', 1)
  })
  app.addHook('onClose', async () => {
    clearInterval(timer)
    histogram.disable()
  })
  return { inFlight: () => inFlight, delay: () => delay }
}
