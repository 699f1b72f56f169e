import { createHash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import type { TObject, TProperties } from 'typebox'
import type { Context } from '../../context.ts'
import type { Db } from '../../database/connect.ts'
import { listPage } from '../../database/page.ts'
import { transaction } from '../../database/transaction.ts'
import { Unavailable } from '../../errors.ts'
import { Collection, envelope } from '../../http/list.ts'
import { once } from '../../http/once.ts'
import { recordRoutes } from '../../http/records.ts'
import { IdParams } from '../../http/schemas.ts'
import type { App } from '../../http/types.ts'
import { acceptUploads, openUpload } from '../../http/uploads.ts'
import type { Actor } from '../access/authenticate.ts'
import type { Scope } from '../access/scopes.ts'
import { briefTotals } from '../webhooks/deliveries/brief-totals.ts'
import { acceptImport, cancelImport, dropImport, findImport } from './commands.ts'
import { importErrorList, importList } from './filters.ts'
import { presentImport, presentImportError } from './present.ts'
import { receiveRows } from './receive.ts'
import { type AlsoWrong, formatOf, judgeOf, readMapping } from './routes-asked.ts'
import { csvRows, ndjsonRows } from './rows.ts'
import { Import, ImportBody, ImportError, ImportQuery, uploadTypes } from './schema.ts'
import { type ImportErrorRow, type ImportName, type ImportRow, importNames } from './table.ts'

const mostOfFile = { bytes: 1_000_000_000, milliseconds: 3_600_000 }
/** Files that arrive at once in a process: each holds a few megabytes and the place of a request. */
const mostFiles = 8

/** An import of a kind as its routes see it. */
type ImportRoutes = {
  name: ImportName
  /** Of the records; those of the imports follow from it. */
  path: string
  /** Where the file goes. */
  upload: string
  read: readonly Scope[]
  write: readonly Scope[]
  /** What a row may hold. */
  body: TObject
  matches: readonly string[]
  /** What is said of `match`. */
  matched: string
  examples: { csv: string; ndjson: string }
  /** Parameters of the query that stand for fields which a row does not have. */
  defaults?: TProperties
  isSlow?(body: Record<string, unknown>): boolean
  alsoWrong?(actor: Actor): AlsoWrong
}

/** Files of records: sent, watched, stopped, and told what was wrong with them. */
export const importRoutes = (app: App, context: Context, kind: ImportRoutes): void => {
  const { path, read, write, name } = kind
  const { label } = importNames[name]
  const Order = Import(label, kind.matches)
  const find = (db: Db, actor: Actor, id: string) => findImport(db, actor, name, id)
  app.register(async (scoped) => {
    acceptUploads(scoped, Object.keys(uploadTypes))
    uploadRoute(scoped as unknown as App, context, kind, Order)
  })

  recordRoutes<ImportRow, never, never>(app, context, {
    path: `${path}/imports`,
    label,
    record: Order,
    list: importList,
    present: presentImport,
    find,
    only: () => [sql`row.kind = ${name}`, sql`row.status <> 'receiving'`],
    read,
  })

  const counting = { ...context, totals: briefTotals() }
  app.get(
    `${path}/imports/:id/errors`,
    {
      config: { scopes: read, list: importErrorList, record: ImportError },
      schema: {
        summary: `List what was wrong with rows of ${aLabel(label)}`,
        description: 'They are kept for a week, without the values of the rows; at most 20 of a row.',
        params: IdParams,
        response: { 200: Collection(ImportError) },
      },
    },
    async (request, reply) => {
      const { actor, params, list } = request
      const { id } = await find(context.db, actor, params.id)
      const only = [sql`row.import_id = ${id}`]
      const page = await listPage<ImportErrorRow>(counting, importErrorList, actor.environment_id, list, only)
      const items = page.rows.map(presentImportError)
      return envelope(request, reply, context.config.publicUrl, page, items) as never
    },
  )

  app.post(
    `${path}/imports/:id/cancel`,
    {
      config: { scopes: write },
      schema: {
        summary: `Stop ${aLabel(label)} where it is`,
        description: 'A repeat is harmless. What it has written stays; the rows that wait are forgotten.',
        params: IdParams,
        response: { 200: Order },
      },
    },
    async ({ actor, params }) =>
      presentImport(await transaction(context, (tx) => cancelImport(tx, actor, name, params.id))) as never,
  )
}

const aLabel = (label: string): string => `${/^[AEIO]/.test(label) ? 'an' : 'a'} ${label}`

const uploadRoute = (app: App, context: Context, kind: ImportRoutes, Order: TObject): void => {
  let files = 0
  app.post(
    kind.upload,
    {
      config: { scopes: kind.write },
      schema: {
        summary: `Import ${kind.name} from CSV or NDJSON`,
        description: `Takes up to 1,000,000,000 bytes, read as they arrive. Each row is judged and written as \`POST\` or \`PUT ${kind.path}\` would, beside requests, and fails alone.`,
        querystring: ImportQuery(kind),
        body: ImportBody(kind.path, kind.examples),
        response: { 202: Order },
      },
    },
    async (request, reply) => {
      if (files >= mostFiles) throw new Unavailable('too many files arrive at once', 5)
      files += 1
      try {
        const received = await receiveFile(context, request, kind)
        const { actor } = request
        const row = await once(
          context,
          Object.assign(request, { body: received.digest }),
          reply,
          (tx) => acceptImport(tx, actor, received.id, received.rows, received.columns),
          (id) => findImport(context.db, actor, kind.name, id),
        ).finally(() => dropImport(context.db, actor, received.id).catch(() => {}))
        reply.code(202).header('Location', `${addressOf(request, kind)}/imports/${row.id}`)
        return presentImport(row) as never
      } finally {
        files -= 1
      }
    },
  )
}

/** Behind the prefix of the generation that it was sent to. */
const addressOf = (request: FastifyRequest, { path, upload }: ImportRoutes): string =>
  request.url.split('?', 1)[0]!.slice(0, -upload.length) + path

type Query = {
  dry_run?: string
  format?: 'csv' | 'ndjson'
  match?: ImportRow['match_by']
  mapping?: unknown
} & Record<string, unknown>

/** The digest stands for the body where repeated requests are told apart. */
const receiveFile = async (context: Context, request: FastifyRequest, kind: ImportRoutes) => {
  const { dry_run = '', format: told, match = null, mapping: sent, ...defaults } = request.query as Query
  const upload = await openUpload(request, mostOfFile)
  const format = formatOf(upload, told)
  const mapping = readMapping(sent, format)
  const hash = createHash('sha256').update(`${format}\n`)
  async function* hashed(): AsyncGenerator<Buffer> {
    for await (const chunk of upload.chunks) {
      hash.update(chunk)
      yield chunk
    }
  }
  const judge = judgeOf(request, kind.body, defaults, kind.alsoWrong?.(request.actor) ?? (() => []))
  let columns: Record<string, string> = {}
  const named = (found: Record<string, string>) => {
    columns = found
  }
  const rows = format === 'csv' ? csvRows(hashed(), judge, mapping, named) : ndjsonRows(hashed(), judge)
  const order = { kind: kind.name, dryRun: dry_run === 'true' || dry_run === '1', match }
  const received = await receiveRows(context, request.actor, order, rows, kind.isSlow ?? (() => false))
  return { ...received, columns, digest: hash.digest('base64url') }
}
