import assert from 'node:assert/strict'
import { FormData } from 'undici'
import { eventually } from './access.ts'
import type { Call, TestApp } from './app.ts'

export type Import = {
  id: string
  label: string
  status: string
  dry_run: boolean
  matched: number
  processed: number
  created: number
  updated: number
  failed: number
  reason: string | null
}
export type Fault = { row: number; column: string; message: string }

export const csv = { 'content-type': 'text/csv' }
export const ndjson = { 'content-type': 'application/x-ndjson' }

type Sent = [file: string | Buffer | FormData, query?: string, options?: Call]

export const sendFile = (app: TestApp, ...[file, query = '', options = {}]: Sent) =>
  app.call('POST', `/persons/import${query}`, {
    ...options,
    raw: file as string,
    headers: { ...(file instanceof FormData ? {} : csv), ...options.headers },
  })

export const readImport = async (app: TestApp, { id }: { id: string }): Promise<Import> =>
  (await app.get(`/persons/imports/${id}`)).body

export const importEnded = (app: TestApp, one: { id: string }): Promise<Import> =>
  eventually(async () => {
    const found = await readImport(app, one)
    return !['pending', 'running'].includes(found.status) && found
  }, 50_000)

export const runImport = async (app: TestApp, ...sent: Sent): Promise<Import> => {
  const answer = await sendFile(app, ...sent)
  assert.equal(answer.status, 202, answer.text)
  return importEnded(app, answer.body)
}

export const counts = ({ status, matched, processed, created, updated, failed }: Import) => ({
  status,
  counts: [matched, processed, created, updated, failed],
})

export const errorsOf = async (app: TestApp, { id }: Import): Promise<Fault[]> =>
  (await app.get(`/persons/imports/${id}/errors?limit=1000`)).body.items

/** Files in a form. */
export const form = (...files: [name: string, type: string, text: string][]): FormData => {
  const made = new FormData()
  for (const [name, type, text] of files) made.append('file', new Blob([text], { type }), name)
  return made
}
