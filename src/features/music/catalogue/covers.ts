import type { FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import type { Context } from '../../../context.ts'
import type { Tx } from '../../../database/connect.ts'
import { transaction } from '../../../database/transaction.ts'
import { NotFound } from '../../../errors.ts'
import type { App } from '../../../http/types.ts'
import { UploadedFile } from '../../../storage/uploaded.ts'
import type { Actor, Token } from '../../access/authenticate.ts'
import { assetFromUrl, fetchFile, takeFile } from '../../assets/intake.ts'
import { changeMusic } from './commands.ts'
import { coverUrl } from './input.ts'
import { artistKind, trackKind } from './kinds.ts'
import type { MusicBody } from './schema.ts'

const asCover = { label: 'Cover', path: 'cover' } as const
const limits = { path: 'cover', max: 20_000_000, timeout: 60_000 } as const

/**
 * A cover that is named by its address is fetched before anything is written, outside of any transaction; it becomes an
 * asset with the record, or not at all.
 */
export const fetchCovers = (app: App, context: Context): void => {
  app.addHook('preHandler', async ({ body, method }: FastifyRequest) => {
    const sent = method === 'POST' || method === 'PUT' ? (body as { cover?: unknown } | null) : null
    const url = coverUrl(sent?.cover as MusicBody['cover'])
    if (url) sent!.cover = await fetchFile(context, url, limits)
  })
  app.addHook('onResponse', async ({ body }: FastifyRequest) => {
    const file = (body as { cover?: unknown } | null)?.cover
    if (file instanceof UploadedFile && !file.taken) await context.storage.remove(file.key)
  })
}

/** The body, with the asset that a cover became. */
export const withCover = async (
  context: Context,
  tx: Tx,
  actor: Actor,
  body: MusicBody,
): Promise<MusicBody> => {
  const file: unknown = body.cover
  if (!(file instanceof UploadedFile)) return body
  const { id } = await takeFile(context, tx, actor, file, asCover)
  return { ...body, cover: { id } }
}

type Waiting = {
  environment_id: string
  kind: 'artists' | 'tracks'
  record_id: string
  url: string
  attempts: number
}

const atOnce = 4
const mostAttempts = 5

/** Fetches covers that imports have named; false if none is due. A node takes them for a while, then another may. */
export const fetchWaiting = async (context: Context): Promise<boolean> => {
  const { rows } = await sql<Waiting>`update waiting_covers as row
    set attempts = attempts + 1, next_on = now() + interval '2 minutes' * (attempts + 1)
    where (environment_id, kind, record_id) in (select environment_id, kind, record_id from waiting_covers
      where next_on <= now() order by next_on limit ${atOnce} for update skip locked)
    returning environment_id, kind, record_id, url, attempts`.execute(context.db)
  await Promise.all(rows.map((waiting) => fetchOne(context, waiting)))
  return rows.length > 0
}

const fetchOne = async (context: Context, waiting: Waiting): Promise<void> => {
  const { kind, record_id, url, attempts } = waiting
  try {
    const actor = await actorFor(context, waiting)
    const { id } = await assetFromUrl(context, actor, url, { ...asCover, ...limits })
    const change = changeMusic(kind === 'tracks' ? trackKind : artistKind)
    await transaction(context, (tx) => change(tx, actor, record_id, { cover: { id } }, undefined))
    await forget(context, waiting)
  } catch (error) {
    if (error instanceof NotFound || attempts >= mostAttempts) await forget(context, waiting)
    context.log.warn({ err: error, kind, record: record_id, attempts }, 'a cover could not be fetched')
  }
}

const forget = async ({ db }: Context, { environment_id, kind, record_id, url }: Waiting): Promise<void> => {
  await sql`delete from waiting_covers where environment_id = ${environment_id} and kind = ${kind}
    and record_id = ${record_id} and url = ${url}`.execute(db)
}

/** The service itself, which no token speaks for. */
const actorFor = async ({ tokens }: Context, { environment_id }: Waiting): Promise<Actor> => {
  const environment = (await tokens.environment(environment_id))!
  const { organisation_id } = environment
  return {
    organisation_id,
    environment_id,
    token_id: null,
    user_id: null,
    person_key: null,
    environment,
    token: undefined as unknown as Token,
  }
}
