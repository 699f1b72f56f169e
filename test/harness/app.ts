import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import pg from 'pg'
import type { Logger } from 'pino'
import { Agent, fetch, type RequestInit } from 'undici'
import { readConfig } from '../../src/config.ts'
import type { Context } from '../../src/context.ts'
import { clientOptions, type Session, sessionOn } from '../../src/database/session.ts'
import { transaction } from '../../src/database/transaction.ts'
import { createEnvironment, createOrganisation } from '../../src/features/access/environments/commands.ts'
import { scopes as allScopes } from '../../src/features/access/scopes.ts'
import type { EnvironmentRow } from '../../src/features/access/table.ts'
import { createToken, type NewToken } from '../../src/features/access/tokens/commands.ts'
import { createUser } from '../../src/features/access/users/commands.ts'
import type { Limits } from '../../src/http/limits.ts'
import { listen } from '../../src/http/server.ts'
import { createLog, runContext } from '../../src/service.ts'
import { testCertificate } from './certificate.ts'
import { cloneDatabase } from './database.ts'

export const secretKey = 'a-secret-key-for-tests-only-0123456789'

type Server = { context: Context; port: number; httpPort: number; databaseUrl: string; sql: Session }

/** One real server per process and set of settings, on its own database and on free ports. */
const servers = new Map<string, Promise<Server>>()

/** A log and a look into the context belong to the server that was started with them. */
const numbers = new WeakMap<object, number>()
let numbered = 0
const numberOf = (thing: object | undefined): number => {
  if (!thing) return 0
  if (!numbers.has(thing)) numbers.set(thing, ++numbered)
  return numbers.get(thing)!
}

/** Registered while the file loads: inside a test, `after` would end the server with that test. */
const endings: (() => Promise<void>)[] = []
after(async () => {
  for (const end of endings) await end()
})

/**
 * What a test may set besides the configuration: shorter limits, its own log, a look into the context. Files are
 * processed where a test is about that.
 */
export type Tuning = {
  limits?: Partial<Limits>
  log?: Logger
  prepare?: (context: Context) => void
  processing?: boolean
  /** Whether its tokens have a responsible user, as writes of music want it. */
  bound?: boolean
}

/** A test shares its process with the server, and the machine with other tests: slowness is no overload here. */
const patient = { delay: 10_000 }

const startServer = async (settings: Record<string, string>, tuning: Tuning): Promise<Server> => {
  const { url, drop } = await cloneDatabase()
  const data = mkdtempSync(join(tmpdir(), 'marquee-data-'))
  const config = readConfig({
    MARQUEE_DATA: data,
    DATABASE_URL: url,
    MARQUEE_SECRET_KEY: secretKey,
    MARQUEE_PORT: '0',
    MARQUEE_HTTP_PORT: '0',
    MARQUEE_HOST: '127.0.0.1',
    MARQUEE_PUBLIC_URL: 'https://marquee.test',
    ...settings,
  })
  const log = tuning.log ?? createLog(process.env.TEST_LOG ?? 'silent')
  const work = { background: true, processing: tuning.processing ?? false }
  const running = await runContext(config, { url, directUrl: url }, secretKey, log, work)
  tuning.prepare?.(running.context)
  const listening = await listen(running.context, await testCertificate(), { ...patient, ...tuning.limits })
  const client = new pg.Client(clientOptions(url, 'test'))
  client.on('error', () => {})
  await client.connect()
  endings.push(async () => {
    await listening.close()
    await running.close()
    await client.end()
    await drop()
    rmSync(data, { recursive: true, force: true })
  })
  return {
    context: running.context,
    port: listening.port,
    httpPort: listening.httpPort,
    databaseUrl: url,
    sql: sessionOn(client),
  }
}

export type Answer<Body = Record<string, never>> = {
  status: number
  headers: Headers
  body: Body
  text: string
}
export type Call = {
  scopes?: readonly string[]
  token?: string | null
  headers?: Record<string, string>
  body?: unknown
  /** Sent as it is, with the content type among the headers. */
  raw?: string | Buffer | FormData
}

const dispatcher = new Agent({ connect: { rejectUnauthorized: false } })

/** A service with a fresh organisation and environment; what other tests of the file do is not seen in it. */
export const startApp = async (settings: Record<string, string> = {}, tuning: Tuning = {}) => {
  const { limits, log, prepare, processing } = tuning
  const key = JSON.stringify([settings, limits, numberOf(log), numberOf(prepare), processing])
  if (!servers.has(key)) servers.set(key, startServer(settings, tuning))
  const server = await servers.get(key)!
  const { context } = server
  const organisation = await transaction(context, (tx) => createOrganisation(tx, `Test ${randomUUID()}`))
  const addEnvironment = (organisation_id = organisation): Promise<EnvironmentRow> =>
    transaction(context, (tx) =>
      createEnvironment(
        tx,
        { organisation_id, token_id: null, user_id: null },
        { name: randomUUID(), locales: ['en-US', 'nl-NL'] },
      ),
    )
  const environment = await addEnvironment()
  const addResponsible = () =>
    transaction(context, (tx) =>
      createUser(
        tx,
        { organisation_id: organisation, environment_id: null, token_id: null, user_id: null },
        { email: `${randomUUID()}@example.org`, name: 'Responsible', password: null, role: 'editor' },
      ),
    )
  const user_id = tuning.bound ? (await addResponsible()).id : null
  const addToken = async (token: Partial<NewToken> & { environment?: EnvironmentRow } = {}) => {
    const { environment: where = environment, ...rest } = token
    const by = {
      organisation_id: where.organisation_id,
      environment_id: where.id,
      token_id: null,
      user_id: null,
    }
    return transaction(context, (tx) =>
      createToken(tx, by, {
        kind: 'environment',
        name: 'Test',
        scopes: allScopes,
        user_id,
        ...rest,
      }),
    )
  }
  const minted = new Map<string, Promise<string>>()
  const tokenFor = (scopes: readonly string[]): Promise<string> => {
    const wanted = scopes.join()
    if (!minted.has(wanted))
      minted.set(
        wanted,
        addToken({ scopes }).then(({ value }) => value),
      )
    return minted.get(wanted)!
  }
  const origin = `https://127.0.0.1:${server.port}`
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into bodies of any shape
  const call = async <Body = any>(
    method: string,
    path: string,
    options: Call = {},
  ): Promise<Answer<Body>> => {
    const token = options.token === undefined ? await tokenFor(options.scopes ?? allScopes) : options.token
    const headers: Record<string, string> = {
      ...(token && { authorization: `Bearer ${token}` }),
      ...options.headers,
    }
    const init: RequestInit = { method, headers, dispatcher }
    if (options.body !== undefined) {
      headers['content-type'] ??= 'application/json'
      init.body = JSON.stringify(options.body)
    } else if (options.raw !== undefined) init.body = options.raw as never
    const response = await fetch(path.startsWith('http') ? path : origin + path, init)
    const text = await response.text()
    const isJson = /[/+]json/.test(response.headers.get('content-type') ?? '') && text !== ''
    return {
      status: response.status,
      headers: response.headers as never,
      text,
      body: isJson ? JSON.parse(text) : text,
    }
  }
  return {
    ...server,
    origin,
    plainOrigin: `http://127.0.0.1:${server.httpPort}`,
    organisation,
    environment,
    addEnvironment,
    addToken,
    tokenFor,
    call,
    get: (path: string, options?: Call) => call('GET', path, options),
    post: (path: string, body?: unknown, options?: Call) => call('POST', path, { body, ...options }),
    put: (path: string, body?: unknown, options?: Call) => call('PUT', path, { body, ...options }),
    delete: (path: string, options?: Call) => call('DELETE', path, options),
    [Symbol.asyncDispose]: async () => {},
  }
}
export type TestApp = Awaited<ReturnType<typeof startApp>>
