import { sql } from 'kysely'
import { type TObject, Type } from 'typebox'
import type { Context } from '../../../context.ts'
import { transaction } from '../../../database/transaction.ts'
import { expectedVersion, isUnchanged } from '../../../http/etag.ts'
import { once } from '../../../http/once.ts'
import { Body, IdParams } from '../../../http/schemas.ts'
import type { App, Routes } from '../../../http/types.ts'
import { Choice, orEmpty } from '../../access/schemas.ts'
import { type DuplicateMark, duplicateMarks, findDuplicates } from './duplicates.ts'
import { artistKind, type Music, type MusicKind, trackKind } from './kinds.ts'
import { mergeMusic } from './merge.ts'
import { presentMusic } from './present.ts'
import { Artist, Track } from './schema.ts'
import { loadMusic } from './store.ts'

const write = ['content_items', 'content_items_publish'] as const
/** In one transaction. */
const mostGroups = 100

const Other = Type.Object({ id: Type.String({ maxLength: 200 }) }, { additionalProperties: false })

const MergedMany = (label: string) =>
  Type.Object(
    {
      dry_run: Type.Boolean(),
      matched: Type.Integer({ description: 'Groups of duplicates there were' }),
      merged: Type.Integer({ description: 'Records that became part of another, or would have' }),
      items: Type.Array(
        Type.Object({ mark: Type.String(), id: Type.String(), merged: Type.Array(Type.String()) }),
      ),
    },
    { title: `Merged${label}s` },
  )

export const mergeRoutes: Routes = (app, context) => {
  routesOf(app, context, artistKind, Artist, ['reference_unique'])
  routesOf(app, context, trackKind, Track, duplicateMarks)
}

const routesOf = (
  app: App,
  context: Context,
  kind: MusicKind,
  record: TObject,
  marks: readonly DuplicateMark[],
): void => {
  const path = `/${kind.table}`
  const { db } = context
  const present = presentMusic(kind)
  const By = Choice(marks, { default: marks[0] })
  const load = (environmentId: string, ids: string[]): Promise<Music[]> =>
    loadMusic(db, kind, environmentId, sql`row.id = any(${ids})`)

  app.get(
    `${path}/duplicates`,
    {
      // Whoever sees only what is published would be told of what is not.
      config: { scopes: write },
      schema: {
        summary: `List ${kind.table} that are most likely the same`,
        querystring: Type.Object(
          {
            by: Type.Optional(By),
            limit: Type.Optional(Type.String({ pattern: '^([1-9]\\d?|100)$' })),
            skip: Type.Optional(Type.String({ pattern: '^\\d{1,9}$' })),
          },
          { additionalProperties: false },
        ),
        response: {
          200: Type.Object({
            items: Type.Array(
              Type.Object({ by: By, mark: Type.String(), total: Type.Integer(), items: Type.Array(record) }),
            ),
            total: Type.Integer(),
            skip: Type.Integer(),
            limit: Type.Integer(),
          }),
        },
      },
    },
    async ({ actor, query }) => {
      const {
        by = marks[0]!,
        limit = '25',
        skip = '0',
      } = query as { by?: DuplicateMark; limit?: string; skip?: string }
      const range = { limit: Number(limit), skip: Number(skip) }
      const { total, groups } = await findDuplicates(db, kind, actor.environment_id, by, range)
      const found = await load(
        actor.environment_id,
        groups.flatMap(({ ids }) => ids),
      )
      const byId = new Map(found.map((music) => [music.id, present(music)]))
      const items = groups.map(({ mark, ids }) => {
        const own = ids.flatMap((id) => byId.get(id) ?? [])
        return { by, mark, total: own.length, items: own }
      })
      return { items, total, ...range } as never
    },
  )

  app.post(
    `${path}/:id/merge`,
    {
      config: { scopes: write },
      schema: {
        summary: `Merge others into ${kind.label === 'Artist' ? 'an' : 'a'} ${kind.label}`,
        description:
          'What the others have fills what this one lacks, what names them names this one, and they are deleted. An import that names them later finds this one.',
        params: IdParams,
        body: Body({ [kind.table]: Type.Array(Other, { minItems: 1, maxItems: 100 }) }),
        response: { 200: record },
      },
    },
    async (request, reply) => {
      const { actor, params } = request
      const others = (request.body as Record<string, { id: string }[]>)[kind.table]!.map(({ id }) => id)
      const row = await once(
        context,
        request,
        reply,
        (tx) => mergeMusic(tx, kind, actor, params.id, others, expectedVersion(request)),
        async (id) => (await load(actor.environment_id, [id]))[0]!,
      )
      const body = present(row)
      isUnchanged(request, reply, row.version, body)
      return reply.send(body as never)
    },
  )

  app.post(
    `${path}/bulk/merge`,
    {
      config: { scopes: write },
      preValidation: orEmpty,
      schema: {
        summary: `Merge ${kind.table} that share a mark`,
        description: `Up to ${mostGroups} groups at once; the oldest of each stays. \`matched\` tells whether there are more.`,
        body: Body({ by: Type.Optional(By), dry_run: Type.Optional(Type.Boolean({ default: false })) }),
        response: { 200: MergedMany(kind.label) },
      },
    },
    async ({ actor, body }) => {
      const { by = marks[0]!, dry_run = false } = body as { by?: DuplicateMark; dry_run?: boolean }
      return (await transaction(context, async (tx) => {
        const range = { limit: mostGroups, skip: 0 }
        const { total, groups } = await findDuplicates(tx, kind, actor.environment_id, by, range)
        const gone = new Set<string>()
        const items: { mark: string; id: string; merged: string[] }[] = []
        for (const { mark, ids } of groups) {
          const [id, ...merged] = ids.filter((one) => !gone.has(one))
          if (id === undefined || merged.length === 0) continue
          if (!dry_run) await mergeMusic(tx, kind, actor, id, merged)
          for (const one of merged) gone.add(one)
          items.push({ mark, id, merged })
        }
        return { dry_run, matched: total, merged: gone.size, items }
      })) as never
    },
  )
}
