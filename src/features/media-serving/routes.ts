import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Routes } from '../../http/types.ts'
import { finder } from './find.ts'
import { pictureMaker } from './picture.ts'
import { AnyQuery, FileParams, MediaParams, mediaAnswers } from './schema.ts'
import { send } from './send.ts'
import { servedAssets } from './served.ts'
import { pictureShelf } from './shelf.ts'
import { parseTransform, type Transform } from './transform.ts'

const asFile: Transform = { kind: 'file', sizes: {}, text: '' }

/** Files as browsers read them: without a token, by addresses that say all there is to say. */
export const mediaRoutes: Routes = (app, context) => {
  const find = finder(context, servedAssets(context), pictureMaker(context, pictureShelf(context)))
  const isShared = context.config.corsOrigins.includes('*')
  const answer = async (
    request: FastifyRequest,
    reply: FastifyReply,
    { id, name }: { id: string; name: string },
    transform: Transform,
  ) => {
    const { accept } = request.headers
    // Also where no origin is named: a browser keeps what a page shows and gives it to a script that asks later.
    if (isShared) reply.header('Access-Control-Allow-Origin', '*')
    return send(context.storage, request, reply, await find(id, { transform, name, accept }))
  }
  const documents = { response: mediaAnswers }
  const shared = { access: 'public', sends: 'file' } as const

  app.get(
    '/media/:id/:transform/:name',
    {
      config: shared,
      schema: {
        summary: 'Read a file of an Asset',
        params: MediaParams,
        querystring: AnyQuery,
        documents,
      } as object,
    },
    async (request, reply) => {
      const params = request.params as { id: string; transform: string; name: string }
      return answer(request, reply, params, parseTransform(params.transform))
    },
  )
  app.get(
    '/media/:id/:name',
    {
      config: shared,
      schema: {
        summary: 'Read a file made of an Asset, whatever its version',
        params: FileParams,
        querystring: AnyQuery,
        documents,
      } as object,
    },
    async (request, reply) => answer(request, reply, request.params as { id: string; name: string }, asFile),
  )
}
