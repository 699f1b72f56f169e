import { readConfig } from '../../src/config.ts'
import { buildApp } from '../../src/http/app.ts'
import type { Generation } from '../../src/http/openapi/collect.ts'
import { type Document, documentOf } from '../../src/http/openapi/document.ts'
import { createLog, openContext } from '../../src/service.ts'

/** Both OpenAPI documents, from the routes themselves: the app is put together, but nothing listens or connects. */
export const documents = async (): Promise<Record<Generation, Document>> => {
  const url = 'postgres://127.0.0.1:1/none'
  const key = 'only-to-put-the-app-together-0123456789'
  const config = readConfig({ DATABASE_URL: url, MARQUEE_SECRET_KEY: key })
  const { context, close } = openContext(config, { url, directUrl: url }, key, createLog('silent'))
  const app = await buildApp(context)
  const { routeTable } = app
  await app.close()
  await close()
  const of = (generation: Generation) => documentOf(routeTable, generation, config.publicUrl)
  return { unversioned: of('unversioned'), v5: of('v5') }
}
