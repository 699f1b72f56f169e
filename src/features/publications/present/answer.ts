import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../../../context.ts'
import { isUnchanged } from '../../../http/etag.ts'
import { present } from '../../../http/expand.ts'
import type { ShownRow } from '../table.ts'
import { publicationExpansions } from './expansions.ts'
import { presentPublication } from './present.ts'
import type { View } from './view.ts'

/** One publication with what `fields` asked for, or 304 where the caller already holds it. */
export const answer = async (
  context: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  row: ShownRow,
  view: View,
  version: number | string = row.version,
) => {
  const toBody = (shown: ShownRow) => presentPublication(shown, view)
  const [body] = await present(
    context.db,
    request.actor,
    [row],
    toBody,
    request.selection.size > 0 ? publicationExpansions(view) : {},
    request.selection,
  )
  const unchanged = isUnchanged(request, reply, version, body)
  const reading = request.method === 'GET' || request.method === 'HEAD'
  if (unchanged && reading) return reply.code(304).send()
  return reply.send(body as never)
}
