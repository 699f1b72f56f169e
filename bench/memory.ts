import { fork } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { benchDatabase } from './service.ts'

/**
 * How much memory the largest publications and pages take: the peak of the service's process over what it held
 * before, read from Linux. `node bench/memory.ts`
 */
const goal = 200
await using database = await benchDatabase()
const child = fork(fileURLToPath(new URL('limits/marquee.ts', import.meta.url)), [
  database.url,
  'bench_memory',
])
const [service] = (await once(child, 'message')) as [
  { origin: string; headers: Record<string, string>; environment: string; databaseUrl: string },
]

const ask = async (method: string, path: string, body?: object) => {
  const headers = { ...service.headers, ...(body && { 'content-type': 'application/json' }) }
  const answer = await fetch(service.origin + path, {
    method,
    headers,
    body: body ? JSON.stringify(body) : null,
  })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text.slice(0, 300)}`)
  return { body: JSON.parse(text) as { id: string }, bytes: text.length }
}

const megabytes = (name: 'VmRSS' | 'VmHWM'): number => {
  const status = readFileSync(`/proc/${child.pid}/status`, 'utf8')
  return Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)![1]) / 1024
}

const measure = async (name: string, work: () => Promise<{ bytes: number }>): Promise<void> => {
  const before = megabytes('VmRSS')
  writeFileSync(`/proc/${child.pid}/clear_refs`, '5')
  const from = performance.now()
  let bytes = 0
  for (let round = 0; round < 5; round += 1) bytes = (await work()).bytes
  const more = megabytes('VmHWM') - before
  const time = (performance.now() - from) / 5
  console.log(
    `${name.padEnd(44)} ${(bytes / 1e6).toFixed(1)} MB, ${time.toFixed(0)} ms, memory +${more.toFixed(0)} MB (goal ${goal}) ${more <= goal ? 'holds' : 'FAILS'}`,
  )
}

const locales = Array.from({ length: 40 }, (_, index) => {
  const letter = String.fromCharCode(97 + (index % 26))
  return `${index < 26 ? 'x' : 'y'}${letter}-${letter.toUpperCase()}X`
})
await ask('PUT', `/environments/${service.environment}`, { locales: ['en-US', 'nl-NL', ...locales] })
const value = (number: number) => ({
  label: 'Text',
  body: `${number} ${'Good morning from the harbour. '.repeat(8)}`,
  format: 'H2',
})
const fields = (count: number, salt: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, number) => [`field_${number}`, value(number + salt)]))
const publication = (names: string[], count: number, salt = 0) => ({
  label: 'Publication',
  locales: names,
  items: Object.fromEntries(names.map((locale) => [locale, fields(count, salt)])),
})

const { body: wide } = await ask('POST', '/publications', publication(locales, 60))
for (let from = 0; from < 1000; from += 20)
  await Promise.all(
    Array.from({ length: 20 }, () => ask('POST', '/publications', publication(['en-US', 'nl-NL'], 15))),
  )
await ask('GET', '/publications?limit=10&fields=items&locale=en-US')

await measure('read 40 locales × 60 fields', () => ask('GET', `/publications/${wide.id}?fields=items`))
let salt = 0
await measure('write 40 locales × 60 fields', () => {
  salt += 1
  return ask('PUT', `/publications/${wide.id}`, publication(locales, 60, salt))
})
await measure('list 1,000 with items, 2 locales × 15 fields', () =>
  ask('GET', '/publications?limit=1000&fields=items'),
)
child.send('stop')
await once(child, 'exit')
