import type { FastifyRequest } from 'fastify'
import type { TObject } from 'typebox'
import { Type } from 'typebox'
import type { Context } from '../../context.ts'
import { readers } from '../../database/values.ts'
import { once } from '../../http/once.ts'
import type { App, Routes } from '../../http/types.ts'
import { formFaults } from './check.ts'
import { createSource } from './commands.ts'
import { accountOf } from './follow.ts'
import type { SourceLabel } from './labels.ts'
import { presentMicroblogAccount, presentMicroblogHashtag, presentSource } from './present.ts'
import { findSource } from './queries.ts'
import {
  AccountFollow,
  HashtagFollow,
  MicroblogAccount,
  MicroblogHashtag,
  RssFollow,
  Source,
  type SourceBody,
} from './schema.ts'
import type { SourceRecord } from './table.ts'

/** What the query says is asked as if it stood in the body, where it may stand as well. */
const withQuery = async (request: FastifyRequest): Promise<void> => {
  const query = request.query as Record<string, unknown>
  const favorite = query.favorite === undefined ? undefined : readers.boolean(query.favorite, '', [])
  request.body = { ...(request.body as object | null), ...query, ...(favorite !== undefined && { favorite }) }
}

type Following = {
  path: string
  label: SourceLabel
  summary: string
  body: TObject
  record: TObject
  present(row: SourceRecord): object
}

const following: Following[] = [
  {
    path: '/rss/follow',
    label: 'Rss',
    summary: 'Follow a feed: RSS, Atom or JSON Feed',
    body: RssFollow,
    record: Source,
    present: presentSource,
  },
  {
    path: '/microblogaccounts/follow',
    label: 'MicroblogAccount',
    summary: 'Follow an account of the microblog',
    body: AccountFollow,
    record: MicroblogAccount,
    present: presentMicroblogAccount,
  },
  {
    path: '/microbloghashtags/follow',
    label: 'MicroblogHashtag',
    summary: 'Follow a hashtag of the microblog',
    body: HashtagFollow,
    record: MicroblogHashtag,
    present: presentMicroblogHashtag,
  },
]

/** As the specification has them, for internal use; `POST /sources` takes every type. */
export const followRoutes: Routes = (app, context) => {
  for (const one of following) followRoute(app, context, one)
}

const followRoute = (
  app: App,
  context: Context,
  { path, label, summary, body, record, present }: Following,
): void => {
  app.post(
    path,
    {
      config: {
        scopes: ['connect'],
        alsoWrong: (actor, body, _id, found) =>
          formFaults(context, actor, { ...body, label }, undefined, found),
      },
      preValidation: withQuery,
      schema: {
        summary,
        description: 'The same names are taken in the body.',
        // What the query says is judged in the body.
        querystring: Type.Object(
          Object.fromEntries(
            Object.entries(body.properties).map(([name, documented]) => [
              name,
              Type.Optional(Type.Unsafe<unknown>({ 'x-documented': documented })),
            ]),
          ),
        ),
        body,
        response: { 201: record },
      },
    },
    async (request, reply) => {
      const { actor } = request
      const wanted = { ...(request.body as object), label } as SourceBody
      const known = await accountOf(context, wanted)
      const row = await once(
        context,
        request,
        reply,
        (tx) => createSource(context, tx, actor, wanted, known),
        (id) => findSource(context.db, actor.environment_id, id),
      )
      reply.code(201).header('Location', `/v5/sources/${row.id}`)
      return reply.send(present(row) as never)
    },
  )
}
