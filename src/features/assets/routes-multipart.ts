import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../../context.ts'
import { invalid } from '../../errors.ts'
import { present } from '../../http/expand.ts'
import { once } from '../../http/once.ts'
import { FieldsQuery, withExpansions } from '../../http/records.ts'
import { IdParams } from '../../http/schemas.ts'
import type { App } from '../../http/types.ts'
import { offsetOf } from './content-range.ts'
import { chunkIn } from './create.ts'
import { assetExpansions } from './expansions.ts'
import { assemble, finishUpload, removeChunks } from './finish.ts'
import { presentUpload } from './present.ts'
import type { FoundAsset } from './queries.ts'
import { Asset, MultipartBody } from './schema.ts'
import { maxAsset } from './types.ts'
import { findUploaded, transferChunk } from './upload.ts'

const write = ['assets', 'assets_publish'] as const
const path = '/assets/:id/multipart'

/** Uploads in chunks: the next one, or the end. */
export const multipartRoutes = (app: App, context: Context): void => {
  const expansions = assetExpansions(context)
  const response = { 200: withExpansions(Asset, expansions) }
  const answer = async ({ actor, selection }: FastifyRequest, row: FoundAsset) => {
    const [body] = await present(context.db, actor, [row], presentUpload, expansions, selection)
    return body as never
  }

  app.get(
    path,
    {
      config: { scopes: write, expansions, record: Asset },
      schema: { summary: 'Read how far an upload is', params: IdParams, querystring: FieldsQuery, response },
    },
    async (request) =>
      answer(request, await findUploaded(context.db, request.actor.environment_id, request.params.id)),
  )

  app.post(
    path,
    {
      config: {
        scopes: write,
        expansions,
        record: Asset,
        files: { video_file_chunk: maxAsset, file_chunk: maxAsset },
      },
      schema: {
        summary: 'Transfer a chunk of a video, or finish its upload',
        description:
          'With `start_offset` or `Content-Range` a repeated chunk is harmless; without, it is appended, and an `Idempotency-Key` makes a retry safe.',
        params: IdParams,
        querystring: FieldsQuery,
        body: MultipartBody,
        response,
      },
    },
    async (request, reply) => {
      const run = request.body.upload_phase === 'finish' ? finish : transfer
      return answer(request, await run(context, request as never, reply as never))
    },
  )
}

type Request = FastifyRequest & { body: MultipartBody; params: { id: string } }

const transfer = async (context: Context, request: Request, reply: FastifyReply): Promise<FoundAsset> => {
  const { actor, params, body, headers } = request
  const chunk = chunkIn(body)
  if (!chunk) throw invalid('video_file_chunk', 'is required')
  const start_offset = offsetOf(body.start_offset, headers['content-range'], chunk.file.size)
  return once(
    context,
    request,
    reply,
    (tx) => transferChunk(context, tx, actor, params.id, { ...chunk, start_offset }, body.original_name),
    (id) => findUploaded(context.db, actor.environment_id, id),
  )
}

const finish = async (context: Context, request: Request, reply: FastifyReply): Promise<FoundAsset> => {
  const { actor, params, body } = request
  const chunk = chunkIn(body)
  if (chunk) throw invalid(chunk.path, 'is not taken at the end; transfer it before')
  const assembled = await assemble(context, actor, params.id)
  try {
    const row = await once(
      context,
      request,
      reply,
      (tx) => finishUpload(context, tx, actor, params.id, assembled),
      (id) => findUploaded(context.db, actor.environment_id, id),
    )
    // What is left behind by a stop goes with the next clean-up.
    await removeChunks(context, actor, params.id).catch((error) =>
      context.log.warn({ err: error }, 'chunks were left behind'),
    )
    return row
  } finally {
    await assembled?.drop()
  }
}
