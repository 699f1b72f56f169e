import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { FormData } from 'undici'
import type { Answer, Call, TestApp } from './app.ts'

const headers = {
  png: Buffer.from('89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489', 'hex'),
  mp4: Buffer.from('000000186674797069736f6d0000020069736f6d69736f32', 'hex'),
  mp3: Buffer.from('fffb9064', 'hex'),
  pdf: Buffer.from('%PDF-1.7\n'),
}

/** Bytes that begin like a file of a kind and are no one else's; nothing can be made of them. */
export const madeUp = (kind: keyof typeof headers, size = 5000): Buffer =>
  Buffer.concat([headers[kind], randomBytes(size - headers[kind].length)])

export const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')

type Value = string | number | { bytes: Buffer; name?: string }

/** A form; its files are told by their bytes. */
export const form = (values: Record<string, Value>): FormData => {
  const made = new FormData()
  for (const [name, value] of Object.entries(values))
    if (typeof value === 'object')
      made.append(name, new Blob([new Uint8Array(value.bytes)]), value.name ?? 'a file')
    else made.append(name, String(value))
  return made
}

export const sendForm = (
  app: TestApp,
  path: string,
  values: Record<string, Value>,
  { method = 'POST', ...call }: Call & { method?: string } = {},
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into bodies of any shape
): Promise<Answer<any>> => app.call(method, path, { ...call, raw: form(values) as never })

/** Uploads a file and gives the asset. */
export const upload = async (
  app: TestApp,
  bytes: Buffer,
  values: Record<string, Value> = {},
  call: Call = {},
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into bodies of any shape
): Promise<any> => {
  const sent = { label: 'Photo', source: { bytes, name: 'a.png' }, ...values }
  const answer = await sendForm(app, '/v5/assets', sent, call)
  assert.equal(answer.status, 201, answer.text)
  return answer.body
}

/** What the storage holds, but for what is being written at this moment. */
export const stored = async ({ context: { storage } }: TestApp, prefix: string): Promise<string[]> => {
  const keys = []
  for await (const { key } of storage.list(prefix)) keys.push(key)
  return keys.sort()
}
