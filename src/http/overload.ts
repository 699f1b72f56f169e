import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Unavailable } from '../errors.ts'
import { hasBody } from './framing.ts'
import { atOnce, inPassing } from './hooks.ts'
import type { Limits } from './limits.ts'

const probes = new Set(['/livez', '/readyz'])

export type Load = { inFlight(): number; arriving(): number; live(): number; delay(): number }

/**
 * Refuses with 503 and Retry-After before an overload becomes slowness. Probes are always answered. A request
 * is in flight once its body is there: until then it waits for its sender, and whoever sends slowly would take
 * the place of those who do not. One long turn of the event loop is no overload: only two bad half seconds
 * after each other are.
 */
export const refuseOverload = (app: FastifyInstance, limits: Limits): Load => {
  const count = { arriving: 0, inFlight: 0, sending: 0, live: 0 }
  let delay = 0
  let before = 0
  const histogram = monitorEventLoopDelay({ resolution: 10 })
  histogram.enable()
  const timer = setInterval(() => {
    before = delay
    delay = histogram.percentile(90) / 1e6
    histogram.reset()
  }, 500).unref()

  const move = (request: FastifyRequest, phase: FastifyRequest['phase']): void => {
    if (request.phase) count[request.phase] -= 1
    if (phase) count[phase] += 1
    request.phase = phase
  }
  const judge = ({ routeOptions }: FastifyRequest, phase: 'arriving' | 'inFlight'): void => {
    if (probes.has(routeOptions.url ?? '')) return
    const tooMany = routeOptions.config.sends === 'file' && count.sending > limits.sending
    const full = tooMany || count.inFlight > limits.inFlight || count[phase] > limits[phase]
    if (full || Math.min(delay, before) > limits.delay) throw new Unavailable('overloaded', 1)
  }
  app.decorateRequest('phase', undefined)
  app.addHook(
    'onRequest',
    atOnce((request, reply) => {
      const phase = hasBody(request.raw) ? 'arriving' : 'inFlight'
      move(request, phase)
      reply.raw.once('close', () => move(request, undefined))
      judge(request, phase)
    }),
  )
  app.addHook(
    'preValidation',
    atOnce((request) => {
      if (request.phase !== 'arriving') return
      move(request, 'inFlight')
      // A file that has arrived is worth more than the moment that it takes to be done with it.
      if (!request.files) judge(request, 'inFlight')
    }),
  )
  // Whoever only listens or reads on from now on takes nobody's place.
  app.addHook(
    'onSend',
    inPassing((request) => {
      const { live, sends } = request.routeOptions.config
      if (request.phase && (live || sends)) move(request, live ? 'live' : 'sending')
    }),
  )
  app.addHook('onClose', async () => {
    clearInterval(timer)
    histogram.disable()
  })
  return {
    inFlight: () => count.inFlight,
    arriving: () => count.arriving,
    live: () => count.live,
    delay: () => delay,
  }
}
