import type { FastifyInstance } from 'fastify'
import type { Context } from '../context.ts'
import { type Written, written } from '../database/transaction.ts'
import { invalid } from '../errors.ts'
import { inPassing } from './hooks.ts'

const reading = new Set(['GET', 'HEAD', 'OPTIONS'])
const header = 'data-version'

/**
 * A write tells its `Data-Version`; a read that sends it back, to whichever process, gets nothing older. Where the write
 * is not known yet the read waits for it, and after 2 s is answered from the database.
 */
export const tellDataVersion = (app: FastifyInstance, { heard }: Context): void => {
  app.decorateRequest('written', undefined)
  app.addHook('onRequest', (request, _reply, done) => {
    if (!reading.has(request.method)) {
      request.written = {}
      return written.run(request.written, done)
    }
    const asked = request.headers[header]
    if (asked === undefined) return done()
    if (typeof asked !== 'string' || !/^\d{1,19}$/.test(asked))
      return done(invalid('Data-Version', 'is not a version that a write told'))
    if (heard.knows(asked)) return done()
    heard.until(asked).then((known) => {
      request.written = known ? undefined : {}
      done()
    })
  })
  app.addHook(
    'onSend',
    inPassing((request, reply, payload) => {
      const id = request.written?.id
      if (id !== undefined) reply.header('Data-Version', id)
      return payload
    }),
  )
}

declare module 'fastify' {
  interface FastifyRequest {
    /** What the request has written. On a read: it asked for something that this process does not know of. */
    written: Written | undefined
  }
}
