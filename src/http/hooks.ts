import type { FastifyReply, FastifyRequest } from 'fastify'

type Done = (error?: Error) => void
type Pass = (error: Error | null, payload?: unknown) => void

/**
 * A hook that waits for nothing. As an async function each of them cost a promise and a turn of the queue: a dozen took
 * a sixth of a read.
 */
export const atOnce =
  (work: (request: FastifyRequest, reply: FastifyReply) => void) =>
  (request: FastifyRequest, reply: FastifyReply, done: Done): void => {
    try {
      work(request, reply)
    } catch (error) {
      done(error as Error)
      return
    }
    done()
  }

/** The same for what is sent; another payload may be given in its place. */
export const inPassing =
  (work: (request: FastifyRequest, reply: FastifyReply, payload: unknown) => unknown) =>
  (request: FastifyRequest, reply: FastifyReply, payload: unknown, done: Pass): void => {
    let passed: unknown
    try {
      passed = work(request, reply, payload)
    } catch (error) {
      done(error as Error)
      return
    }
    done(null, passed)
  }
