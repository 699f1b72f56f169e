import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { listen } from '../src/http/server.ts'
import { createLog } from '../src/log.ts'
import { runContext } from '../src/service.ts'
import { eventually } from './harness/access.ts'
import { secretKey, startApp, type TestApp } from './harness/app.ts'
import { testCertificate } from './harness/certificate.ts'
import { type Cost, countingProxy } from './harness/counting-proxy.ts'
import { addPerson } from './harness/factories.ts'
import { addPublication, bodyOf, text } from './harness/publications.ts'

/** The table of docs/operate/costs.md: what a request costs the database, by its name there. */
const documented = (): Record<string, string> => {
  const page = readFileSync(new URL('../docs/operate/costs.md', import.meta.url), 'utf8')
  const rows = page.matchAll(/^\| (`?[^|]+?) +\| (\d+) +\| (\d+) +\|$/gm)
  return Object.fromEntries([...rows].map(([, name, trips, statements]) => [name, `${trips} ${statements}`]))
}

/** Another process on the database of `app`, which keeps no answers, with somebody counting in between. */
const counted = async (app: TestApp) => {
  const proxy = await countingProxy(app.databaseUrl)
  const config = { ...app.context.config, cacheMb: 0 }
  const urls = { url: proxy.url, directUrl: app.databaseUrl }
  const running = await runContext(config, urls, secretKey, createLog('silent'), { background: false })
  const server = await listen(running.context, await testCertificate())
  await eventually(async () => running.context.isTrusted())
  return {
    origin: `https://127.0.0.1:${server.port}`,
    during: proxy.during,
    async [Symbol.asyncDispose]() {
      await server.close()
      await running.close()
      proxy.close()
    },
  }
}

test('requests cost what the documentation says', async () => {
  const app = await startApp()
  const publication = await addPublication(app)
  const person = await addPerson(app, { first_name: 'Ada' })
  await using node = await counted(app)
  let number = 0
  const titled = () => ({ 'en-US': { title: text(`Title ${++number}`) } })
  const send = (method: string, path: string, body?: object) => async () => {
    const { status, text } = await app.call(method, `${node.origin}${path}`, { body })
    assert.ok(status < 300, `${method} ${path}: ${text}`)
  }
  const one = `/publications/${publication.id}`
  const requests: Record<string, () => Promise<void>> = {
    '`GET /publications/{id}`': send('GET', one),
    '`GET /publications/{id}?fields=items`': send('GET', `${one}?fields=items`),
    '`GET /publications`, total known': send('GET', '/publications'),
    '`GET /publications`, total counted': () => send('GET', `/publications?created_on[gt]=${++number}`)(),
    '`GET /publications?q=`, total known': send('GET', '/publications?q=title'),
    '`POST /publications`': () => send('POST', '/publications', bodyOf(titled()))(),
    '`PUT /publications/{id}`': () => send('PUT', one, { items: titled() })(),
    '`POST /publications/{id}/interactions`': send('POST', `${one}/interactions`, {
      label: 'View',
      value: 1,
      person: { id: person.id },
    }),
    '`GET /persons/{id}`': send('GET', `/persons/${person.id}`),
    '`GET /persons`, total known': send('GET', '/persons'),
    '`PUT /persons/{id}`': () => send('PUT', `/persons/${person.id}`, { nickname: `N${++number}` })(),
    '`GET /channels`, total known': send('GET', '/channels'),
    '`POST /channels`': () => send('POST', '/channels', { name: `Channel ${++number}` })(),
  }
  const costs: Record<string, string> = {}
  for (const [name, request] of Object.entries(requests)) {
    // Statements are prepared, and tokens and models known, once somebody has asked; a token is asked for again.
    await request()
    const seen: Cost[] = []
    for (let round = 0; round < 4; round += 1) seen.push(await node.during(request))
    const [least] = seen.sort((a, b) => a.trips - b.trips || a.statements - b.statements)
    costs[name] = `${least!.trips} ${least!.statements}`
  }
  assert.deepEqual(documented(), costs)
})
