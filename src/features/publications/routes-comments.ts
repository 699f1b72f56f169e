import { sql } from 'kysely'
import { Type } from 'typebox'
import { dateSorts, dates } from '../../database/common-filters.ts'
import { listPage } from '../../database/page.ts'
import { transaction } from '../../database/transaction.ts'
import { Collection, envelope } from '../../http/list.ts'
import { once } from '../../http/once.ts'
import { IdParams, Nothing } from '../../http/schemas.ts'
import type { ListOptions, Routes } from '../../http/types.ts'
import type { Actor } from '../access/authenticate.ts'
import { changeRemark, createRemark, deleteRemark } from '../remarks/commands.ts'
import { presentRemark } from '../remarks/present.ts'
import { findRemark } from '../remarks/queries.ts'
import { Remark, RemarkBody } from '../remarks/schema.ts'
import type { RemarkRow } from '../remarks/table.ts'
import { viewOf } from './present/view.ts'
import { findPublication } from './queries.ts'
import { requireFullSight } from './sight.ts'

const path = '/publications/:id/internal_comments'
const CommentParams = Type.Object({ ...IdParams.properties, comment_id: Type.String({ maxLength: 200 }) })
const write = ['publications', 'publications_publish'] as const

const commentList = {
  table: 'remarks',
  family: 'content',
  filters: { ...dates, created_by: { type: 'id', operators: ['eq', 'in'] } },
  sorts: dateSorts,
  defaultSort: '-created_on',
} satisfies ListOptions

/** Notes of back-office users on a publication. Whoever sees only what is published sees none of them. */
export const internalCommentRoutes: Routes = (app, context) => {
  const { db } = context
  const about = async (actor: Actor, id: string) => {
    requireFullSight(actor)
    const { id: publication_id } = await findPublication(
      db,
      actor.environment_id,
      id,
      await viewOf(context, actor, {}),
    )
    return { publication_id }
  }

  app.get(
    path,
    {
      config: { scopes: ['publications', 'publications_publish'], list: commentList, record: Remark },
      schema: { summary: 'List internal comments', params: IdParams, response: { 200: Collection(Remark) } },
    },
    async (request, reply) => {
      const { actor, params } = request
      const { publication_id } = await about(actor, params.id)
      const only = [sql`row.publication_id = ${publication_id}`]
      const page = await listPage<RemarkRow>(context, commentList, actor.environment_id, request.list, only)
      return envelope(request, reply, context.config.publicUrl, page, page.rows.map(presentRemark)) as never
    },
  )

  app.post(
    path,
    {
      config: { scopes: write, record: Remark },
      schema: {
        summary: 'Add an internal comment',
        params: IdParams,
        body: RemarkBody,
        response: { 201: Remark },
      },
    },
    async (request, reply) => {
      const { actor, params, body } = request
      const subject = await about(actor, params.id)
      const row = await once(
        context,
        request,
        reply,
        (tx) => createRemark(tx, actor, subject, body.body),
        (id) => findRemark(db, actor, subject, id),
      )
      return reply.code(201).send(presentRemark(row) as never)
    },
  )

  app.put(
    `${path}/:comment_id`,
    {
      config: { scopes: write, record: Remark },
      schema: {
        summary: 'Change an internal comment',
        params: CommentParams,
        body: RemarkBody,
        response: { 200: Remark },
      },
    },
    async ({ actor, params, body }) => {
      const subject = await about(actor, params.id)
      const row = await transaction(context, (tx) =>
        changeRemark(tx, actor, subject, params.comment_id, body.body),
      )
      return presentRemark(row) as never
    },
  )

  app.delete(
    `${path}/:comment_id`,
    {
      config: { scopes: write },
      schema: { summary: 'Delete an internal comment', params: CommentParams, response: { 204: Nothing } },
    },
    async ({ actor, params }, reply) => {
      const subject = await about(actor, params.id)
      await transaction(context, (tx) => deleteRemark(tx, actor, subject, params.comment_id))
      return reply.code(204).send(null)
    },
  )
}
