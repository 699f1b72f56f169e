import type { FastifyReply, FastifyRequest } from 'fastify'
import { type TObject, type TProperties, type TSchema, Type } from 'typebox'
import type { Context } from '../context.ts'
import type { Db, Tx } from '../database/connect.ts'
import type { Condition } from '../database/filters.ts'
import { type ListRequest, listPage, type Page } from '../database/page.ts'
import { type Expected, findRecord } from '../database/records.ts'
import type { RecordTables } from '../database/schema.ts'
import { transaction } from '../database/transaction.ts'
import type { Family } from '../database/versions.ts'
import type { FieldError } from '../errors.ts'
import type { Actor } from '../features/access/authenticate.ts'
import type { Scope } from '../features/access/scopes.ts'
import { expectedVersion, isUnchanged } from './etag.ts'
import { type Expansions, present } from './expand.ts'
import type { Files } from './files.ts'
import { Collection, envelope } from './list.ts'
import { once } from './once.ts'
import { IdParams, Nothing } from './schemas.ts'
import type { App, ListOptions } from './types.ts'

type Row = { id: string; version: number }

/** A kind of record as its routes see it; a feature gives only what is its own. */
type RecordRoutes<R extends Row, Body, Changes> = {
  path: string
  label: string
  record: TObject
  list: ListOptions
  /** What the list takes besides; it stands among the filters that `page` is handed. */
  query?: TObject
  expansions?: Expansions<R>
  present(row: R): object
  /** How one is found; in the list's own table unless told otherwise. */
  find?(db: Db, actor: Actor, id: string): Promise<R>
  /** What the list is bounded by; the environment unless told otherwise. */
  scope?(actor: Actor): string
  /** Conditions beyond the caller's filter. */
  only?(actor: Actor): Condition[]
  /** How a page is found, where the list's own data does not tell. */
  page?(context: Context, actor: Actor, request: ListRequest): Promise<Page<R>>
  read: readonly Scope[]
  /** What the list needs, where that is something else. */
  readList?: readonly Scope[]
  /** The specification calls the list beta. */
  beta?: true
  /** What answers rest on, where they are kept. */
  cached?: readonly Family[]
  /** Read above the environments: an organisation token need not name one. */
  environment?: 'optional'
  /** What is wrong with a body that its schema already refuses, of what only the database can tell. */
  alsoWrong?(actor: Actor, body: object, id: string | undefined, found: FieldError[]): Promise<FieldError[]>
  create?: {
    scopes: readonly Scope[]
    body: TObject
    run(tx: Tx, actor: Actor, body: Body, request: FastifyRequest): Promise<R>
    /** What `showOnce` adds to the answer. */
    shownOnce?: TProperties
    files?: Files
  }
  change?: {
    scopes: readonly Scope[]
    body: TObject
    run(tx: Tx, actor: Actor, id: string, body: Changes, expected: Expected): Promise<R>
    files?: Files
  }
  remove?: {
    scopes: readonly Scope[]
    run(tx: Tx, actor: Actor, id: string, expected: Expected): Promise<void>
  }
}

/** For single records. What `fields` may hold is told by the route's `record` and `expansions`. */
export const FieldsQuery = Type.Object(
  { fields: Type.Optional(Type.Unknown()) },
  { additionalProperties: false },
)

const shown = new WeakMap<FastifyRequest, object>()

/** Adds a secret, such as a token's value, to the answer of the request that made it; a replay has none. */
export const showOnce = (request: FastifyRequest, secrets: object): void => {
  shown.set(request, secrets)
}

/** List, read, create, change and delete, the same way for every record. */
export const recordRoutes = <R extends Row, Body, Changes>(
  app: App,
  context: Context,
  routes: RecordRoutes<R, Body, Changes>,
): void => {
  const { path, label, record, environment, cached, alsoWrong, create, change, remove } = routes
  const expansions = routes.expansions ?? {}
  const Full = withExpansions(record, expansions)
  const one = `${path}/:id`
  const aLabel = `${/^[AEIO]/.test(label) ? 'an' : 'a'} ${label}`
  const find = routes.find ?? inOwnTable<R>(routes.list.table as keyof RecordTables, label)

  app.get(
    path,
    {
      config: {
        scopes: routes.readList ?? routes.read,
        environment,
        cached,
        list: routes.list,
        expansions,
        record,
      },
      schema: {
        summary: `List ${path.slice(1).replaceAll('_', ' ')}`,
        ...(routes.beta && { beta: true }),
        ...(routes.query && { querystring: routes.query }),
        response: { 200: Collection(Full) },
      },
    },
    async (request, reply) => {
      const { actor, list, selection } = request
      const scope = routes.scope?.(actor) ?? actor.environment_id
      const page = routes.page
        ? await routes.page(context, actor, list)
        : await listPage<R>(context, routes.list, scope, list, routes.only?.(actor))
      const items = await present(context.db, actor, page.rows, routes.present, expansions, selection)
      return envelope(request, reply, context.config.publicUrl, page, items) as never
    },
  )

  const answer = async (request: FastifyRequest, reply: FastifyReply, row: R) => {
    const [body] = await present(
      context.db,
      request.actor,
      [row],
      routes.present,
      expansions,
      request.selection,
    )
    const unchanged = isUnchanged(request, reply, row.version, body)
    const reading = request.method === 'GET' || request.method === 'HEAD'
    if (unchanged && reading) return reply.code(304).send()
    return reply.send({ ...body, ...shown.get(request) })
  }

  app.get(
    one,
    {
      config: { scopes: routes.read, environment, cached, expansions, record },
      schema: {
        summary: `Read ${aLabel}`,
        params: IdParams,
        querystring: FieldsQuery,
        response: { 200: Full },
      },
    },
    async (request, reply) => {
      const row = await find(context.db, request.actor, request.params.id)
      return answer(request, reply, row)
    },
  )

  if (create)
    app.post(
      path,
      {
        config: { scopes: create.scopes, environment, expansions, record, alsoWrong, files: create.files },
        schema: {
          summary: `Create ${aLabel}`,
          body: create.body,
          querystring: FieldsQuery,
          response: { 201: withSecrets(Full, create.shownOnce) },
        },
      },
      async (request, reply) => {
        const { actor } = request
        const row = await once(
          context,
          request,
          reply,
          (tx) => create.run(tx, actor, request.body as Body, request),
          (id) => find(context.db, actor, id),
        )
        reply.code(201).header('Location', `${request.url.split('?', 1)[0]}/${encodeURIComponent(row.id)}`)
        return answer(request, reply, row)
      },
    )

  if (change)
    app.put(
      one,
      {
        config: { scopes: change.scopes, environment, expansions, record, alsoWrong, files: change.files },
        schema: {
          summary: `Change ${aLabel}`,
          params: IdParams,
          querystring: FieldsQuery,
          body: change.body,
          response: { 200: Full },
        },
      },
      async (request, reply) => {
        const { actor, params, body } = request
        const expected = expectedVersion(request)
        const row = await transaction(context, (tx) =>
          change.run(tx, actor, params.id, body as Changes, expected),
        )
        return answer(request, reply, row)
      },
    )

  if (remove)
    app.delete(
      one,
      {
        config: { scopes: remove.scopes, environment },
        schema: { summary: `Delete ${aLabel}`, params: IdParams, response: { 204: Nothing } },
      },
      async (request, reply) => {
        const expected = expectedVersion(request)
        await transaction(context, (tx) => remove.run(tx, request.actor, request.params.id, expected))
        return reply.code(204).send(null)
      },
    )
}

const inOwnTable =
  <R>(table: keyof RecordTables, label: string) =>
  (db: Db, actor: Actor, id: string): Promise<R> =>
    findRecord(db, table, label, actor.environment_id, id) as Promise<R>

/** The body with what `fields` can add to it. */
export const withExpansions = (record: TObject, expansions: Record<string, { schema: TSchema }>): TObject =>
  Type.Object(
    {
      ...record.properties,
      ...Object.fromEntries(
        Object.entries(expansions).map(([name, { schema }]) => [name, Type.Optional(schema)]),
      ),
    },
    { title: (record as { title?: string }).title },
  )

export const withSecrets = (record: TObject, secrets: TProperties = {}): TObject => {
  const { title } = record as { title?: string }
  return Type.Object(
    {
      ...record.properties,
      ...Object.fromEntries(Object.entries(secrets).map(([name, schema]) => [name, Type.Optional(schema)])),
    },
    { title: Object.keys(secrets).length > 0 ? `New${title}` : title },
  )
}
