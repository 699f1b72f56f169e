import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../../../context.ts'
import { invalid } from '../../../errors.ts'
import { answer } from '../present/answer.ts'
import type { View } from '../present/view.ts'
import { findAt } from './find.ts'
import { readAt } from './moment.ts'

/** `GET /publications/{id}?at=…` */
export const answerAt = async (
  context: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  id: string,
  { at, draft }: { at?: string; draft?: unknown },
  view: View,
) => {
  if (draft !== undefined) throw invalid('draft', 'cannot be combined with at')
  const found = await findAt(context.db, request.actor, id, readAt(at, [])!, view)
  return answer(context, request, reply, found.row, found.view)
}
