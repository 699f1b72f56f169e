import { sql } from 'kysely'
import { dateSorts, dates } from '../../database/common-filters.ts'
import { listPage } from '../../database/page.ts'
import { Collection, envelope } from '../../http/list.ts'
import { once } from '../../http/once.ts'
import { IdParams } from '../../http/schemas.ts'
import type { ListOptions, Routes } from '../../http/types.ts'
import type { Actor } from '../access/authenticate.ts'
import { createRemark } from '../remarks/commands.ts'
import { presentRemark } from '../remarks/present.ts'
import { findRemark } from '../remarks/queries.ts'
import { Remark, RemarkBody } from '../remarks/schema.ts'
import type { RemarkRow } from '../remarks/table.ts'
import { findPerson, lockPerson } from './queries.ts'

const remarkList = {
  table: 'remarks',
  family: 'content',
  filters: { ...dates, created_by: { type: 'id', operators: ['eq', 'in'] } },
  sorts: dateSorts,
  defaultSort: '-created_on',
} satisfies ListOptions

/** Notes of back-office users on a person. */
export const remarkRoutesV5: Routes = (app, context) => {
  const { db } = context
  const about = async ({ environment_id }: Actor, id: string) => {
    const { key } = await findPerson(db, environment_id, id)
    return { person_key: key }
  }

  app.get(
    '/persons/:id/remarks',
    {
      config: { scopes: ['persons', 'person_publish'], list: remarkList, record: Remark },
      schema: {
        summary: 'List remarks on a Person',
        params: IdParams,
        response: { 200: Collection(Remark) },
      },
    },
    async (request, reply) => {
      const { actor, params } = request
      const { person_key } = await about(actor, params.id)
      const only = [sql`row.person_key = ${person_key}`]
      const page = await listPage<RemarkRow>(context, remarkList, actor.environment_id, request.list, only)
      return envelope(request, reply, context.config.publicUrl, page, page.rows.map(presentRemark)) as never
    },
  )

  app.post(
    '/persons/:id/remark',
    {
      config: { scopes: ['persons', 'person_publish'], record: Remark },
      schema: {
        summary: 'Add a Remark on a Person',
        params: IdParams,
        body: RemarkBody,
        response: { 201: Remark },
      },
    },
    async (request, reply) => {
      const { actor, params, body } = request
      const row = await once(
        context,
        request,
        reply,
        // Held, so that nothing is said of somebody who has just been anonymized.
        async (tx) => {
          const { key } = await lockPerson(tx, actor.environment_id, params.id)
          return createRemark(tx, actor, { person_key: key }, body.body)
        },
        async (id) => findRemark(db, actor, await about(actor, params.id), id),
      )
      return reply.code(201).send(presentRemark(row) as never)
    },
  )
}
