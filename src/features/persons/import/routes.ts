import { createHash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import type { Context } from '../../../context.ts'
import { listPage } from '../../../database/page.ts'
import { transaction } from '../../../database/transaction.ts'
import { Unavailable } from '../../../errors.ts'
import { Collection, envelope } from '../../../http/list.ts'
import { once } from '../../../http/once.ts'
import { recordRoutes } from '../../../http/records.ts'
import { IdParams } from '../../../http/schemas.ts'
import type { App, Routes } from '../../../http/types.ts'
import { acceptUploads, openUpload } from '../../../http/uploads.ts'
import { briefTotals } from '../../webhooks/deliveries/brief-totals.ts'
import { acceptImport, cancelImport, dropImport, findImport } from './commands.ts'
import { importErrorList, importList } from './filters.ts'
import { presentImport, presentImportError } from './present.ts'
import { receiveRows } from './receive.ts'
import { formatOf, judgeOf, readMapping } from './routes-asked.ts'
import { csvRows, ndjsonRows } from './rows.ts'
import { ImportBody, ImportQuery, PersonImport, PersonImportError, uploadTypes } from './schema.ts'
import type { ImportErrorRow, ImportRow } from './table.ts'

const read = ['persons'] as const
const write = ['persons', 'persons_publish'] as const

const mostOfFile = { bytes: 1_000_000_000, milliseconds: 3_600_000 }
/** Files that arrive at once in a process: each holds a few megabytes and the place of a request. */
const mostFiles = 8

export const personImportRoutes: Routes = (app, context) => {
  app.register(async (scoped) => {
    acceptUploads(scoped, Object.keys(uploadTypes))
    uploadRoute(scoped as unknown as App, context)
  })

  recordRoutes<ImportRow, never, never>(app, context, {
    path: '/persons/imports',
    label: 'PersonImport',
    record: PersonImport,
    list: importList,
    present: presentImport,
    find: findImport,
    only: () => [sql`row.status <> 'receiving'`],
    read,
  })

  const counting = { ...context, totals: briefTotals() }
  app.get(
    '/persons/imports/:id/errors',
    {
      config: { scopes: read, list: importErrorList, record: PersonImportError },
      schema: {
        summary: 'List what was wrong with rows of a PersonImport',
        description: 'They are kept for a week, without the values of the rows; at most 20 of a row.',
        params: IdParams,
        response: { 200: Collection(PersonImportError) },
      },
    },
    async (request, reply) => {
      const { actor, params, list } = request
      const { id } = await findImport(context.db, actor, params.id)
      const only = [sql`row.import_id = ${id}`]
      const page = await listPage<ImportErrorRow>(counting, importErrorList, actor.environment_id, list, only)
      const items = page.rows.map(presentImportError)
      return envelope(request, reply, context.config.publicUrl, page, items) as never
    },
  )

  app.post(
    '/persons/imports/:id/cancel',
    {
      config: { scopes: write },
      schema: {
        summary: 'Stop a PersonImport where it is',
        description: 'A repeat is harmless. What it has written stays; the rows that wait are forgotten.',
        params: IdParams,
        response: { 200: PersonImport },
      },
    },
    async ({ actor, params }) =>
      presentImport(await transaction(context, (tx) => cancelImport(tx, actor, params.id))) as never,
  )
}

const uploadRoute = (app: App, context: Context): void => {
  let files = 0
  app.post(
    '/persons/import',
    {
      config: { scopes: write },
      schema: {
        summary: 'Import persons from CSV or NDJSON',
        description:
          'Takes up to 1,000,000,000 bytes, read as they arrive. Each row is judged and written as `POST` or `PUT /persons` would, beside requests, and fails alone.',
        querystring: ImportQuery,
        body: ImportBody,
        response: { 202: PersonImport },
      },
    },
    async (request, reply) => {
      if (files >= mostFiles) throw new Unavailable('too many files arrive at once', 5)
      files += 1
      try {
        const received = await receiveFile(context, request)
        const { actor } = request
        const row = await once(
          context,
          Object.assign(request, { body: received.digest }),
          reply,
          (tx) => acceptImport(tx, actor, received.id, received.rows, received.columns),
          (id) => findImport(context.db, actor, id),
        ).finally(() => dropImport(context.db, actor, received.id).catch(() => {}))
        reply.code(202).header('Location', `/persons/imports/${row.id}`)
        return presentImport(row) as never
      } finally {
        files -= 1
      }
    },
  )
}

type Query = { dry_run?: string; format?: 'csv' | 'ndjson'; match?: ImportRow['match_by']; mapping?: unknown }

/** The digest stands for the body where repeated requests are told apart. */
const receiveFile = async (context: Context, request: FastifyRequest) => {
  const { dry_run = '', format: told, match = null, mapping: sent } = request.query as Query
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
  const judge = judgeOf(request)
  let columns: Record<string, string> = {}
  const named = (found: Record<string, string>) => {
    columns = found
  }
  const rows = format === 'csv' ? csvRows(hashed(), judge, mapping, named) : ndjsonRows(hashed(), judge)
  const order = { dryRun: dry_run === 'true' || dry_run === '1', match }
  const received = await receiveRows(context, request.actor, order, rows)
  return { ...received, columns, digest: hash.digest('base64url') }
}
