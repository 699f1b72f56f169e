import { monitorEventLoopDelay } from 'node:perf_hooks'
import { sql } from 'kysely'
import { type BenchService, benchDatabase, benchService, percentile } from './service.ts'

/** How long does the service think about what nobody should send? `node bench/hostile.ts` */
const goal = 50
const rounds = 15
const rows = 2000

type Attack = { method?: string; path: string; body?: string; type?: string; expect: number }

const form = 'application/x-www-form-urlencoded'
const json = 'application/json'
const repeat = (count: number, make: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => make(index))
const multipart = (count: number) =>
  `${repeat(count, (index) => `--b\r\nContent-Disposition: form-data; name="p${index}"\r\n\r\nx\r\n`).join('')}--b--\r\n`
const post = (body: string, type = form, expect = 400): Attack => ({
  method: 'POST',
  path: '/channels',
  body,
  type,
  expect,
})
const get = (query: string, expect = 400): Attack => ({ path: `/channels?${query}`, expect })

const attacks: Record<string, Attack> = {
  'for comparison: a page of the list': get('', 200),
  '__proto__ in a query': get('name[__proto__][x]=1'),
  'constructor in a form': post('name=a&streams[0][constructor]=1'),
  '__proto__ in JSON': post('{"name":"a","__proto__":{"x":1}}', json),
  'quotes and SQL in a filter key': get("name'--[eq]=1&%22;drop=1&name[eq';--]=1"),
  'label[length]=1e9': get('name[length]=1e9'),
  '3,000 parameters in a query': get(repeat(3000, (index) => `p${index}=1`).join('&')),
  '10,000 parameters in a form': post(repeat(10_000, (index) => `p${index}=1`).join('&')),
  '10,000 times a[] in a form': post(Array(10_000).fill('streams[]=1').join('&')),
  'depth 100 in a query': get(`name${'[a]'.repeat(100)}=1`),
  'depth 100 in a form': post(`name=a&streams${'[0]'.repeat(100)}=1`),
  'depth 100,000 in JSON': post(`{"name":${'['.repeat(100_000)}${']'.repeat(100_000)}}`, json),
  '300,000 values in JSON': post(`{"name":"a","streams":[${'1,'.repeat(300_000)}1]}`, json),
  'a million commas in a form': post(`name=a&streams=${','.repeat(1_000_000)}`),
  'a million commas in JSON': post(`{"name":"${','.repeat(1_000_000)}"}`, json),
  '10,000 commas in a filter': get(`name[in]=${','.repeat(10_000)}`),
  '10,000 commas in sort': get(`sort=${','.repeat(10_000)}`),
  '10,000 braces in fields': get(`fields=${'a{'.repeat(5000)}`),
  '10 kB of one word in fz': get(`name[fz]=${'a'.repeat(10_000)}`, 200),
  '10 kB of words in fz': get(`name[fz]=${'radio chanel '.repeat(750)}`, 200),
  '10 kB of combining accents in fz': get(`name[fz]=a${'%CC%81'.repeat(1600)}`, 200),
  '10 kB of wildcards in sw': get(`name[sw]=${'%25_'.repeat(2500)}`, 200),
  'alternatives, 200 of them': get(repeat(200, (index) => `or[${index}][name][eq]=a${index}`).join('&'), 200),
  'a pathological content type': post('x', `application/json${';a="\\"'.repeat(3000)}`),
  'a pathological traceparent': get(`limit=1`, 200),
  'a pathological cursor': get(`after=${'W1tb'.repeat(3000)}`),
  'a pathological date': get(`created_on[lt]=${'2020-01-01T'.repeat(900)}`),
  'a 30 kB id': { path: `/channels/${'a'.repeat(30_000)}`, expect: 400 },
  'multipart with 10,000 parts': post(multipart(10_000), 'multipart/form-data; boundary=b'),
  'multipart without an end': post(multipart(100).slice(0, -8), 'multipart/form-data; boundary=b'),
}

const run = async ({ origin, headers }: BenchService, name: string, attack: Attack) => {
  const times: number[] = []
  const delay = monitorEventLoopDelay({ resolution: 5 })
  delay.enable()
  for (let round = 0; round < rounds; round += 1) {
    const from = performance.now()
    const response = await fetch(origin + attack.path, {
      method: attack.method ?? 'GET',
      headers: {
        ...headers,
        ...(attack.type && { 'content-type': attack.type }),
        ...(name.includes('traceparent') && { traceparent: `00-${'0a'.repeat(10_000)}` }),
      },
      ...(attack.body !== undefined && { body: attack.body }),
    })
    await response.arrayBuffer()
    times.push(performance.now() - from)
    if (response.status !== attack.expect)
      throw new Error(`${name}: ${response.status}, not ${attack.expect}`)
  }
  delay.disable()
  return { median: percentile(times, 0.5), worst: Math.max(...times.slice(1)), loop: delay.max / 1e6 }
}

await using database = await benchDatabase()
await using service = await benchService(database.url, 'hostile')
await sql`insert into channels (environment_id, id, name, slug)
  select ${service.environment.id}, gen_random_uuid()::text, 'Radio channel ' || n, 'channel-' || n
  from generate_series(1, ${rows}::int) n`.execute(service.context.db)
await sql`vacuum analyze channels`.execute(service.context.db)
await fetch(`${service.origin}/channels`, { headers: service.headers })

console.log(`${rounds} rounds each over ${rows} rows, client and server in one process; goal ${goal} ms\n`)
console.log(`${'input'.padEnd(40)} ${'median'.padStart(9)} ${'worst'.padStart(9)} ${'loop'.padStart(9)}`)
let late = 0
for (const [name, attack] of Object.entries(attacks)) {
  const { median, worst, loop } = await run(service, name, attack)
  if (median > goal) late += 1
  const figures = [median, worst, loop].map((value) => `${value.toFixed(1)} ms`.padStart(9)).join(' ')
  console.log(`${name.padEnd(40)} ${figures}  ${median <= goal ? 'ok' : 'LATE'}`)
}
console.log(`\n${late === 0 ? 'All within' : `${late} over`} ${goal} ms`)
process.exitCode = late === 0 ? 0 : 1
