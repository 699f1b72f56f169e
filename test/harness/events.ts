import { once } from 'node:events'
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import http2 from 'node:http2'
import https from 'node:https'
import type { Readable } from 'node:stream'
import type { TestApp } from './app.ts'
import type { Loose } from './publications.ts'

export type Heard = { id: string; event: string; data: Loose }

type Options = {
  token?: string
  scopes?: readonly string[]
  after?: string | number
  port?: number
  http2?: true
  headers?: Record<string, string>
}

/** Listens to `GET /events` as a browser would, by the rules of server-sent events. */
export const listenTo = async (app: TestApp, query = '', options: Options = {}) => {
  const token = options.token ?? (await app.tokenFor(options.scopes ?? ['publications', 'channels']))
  const headers = {
    ...(token && { authorization: `Bearer ${token}` }),
    ...(options.after !== undefined && { 'last-event-id': String(options.after) }),
    ...options.headers,
  }
  const open = options.http2 ? openSecond : openFirst
  const answer = await open(options.port ?? app.port, `/events${query && `?${query}`}`, headers)
  return { ...answer, ...heard(answer.body) }
}
export type Listening = Awaited<ReturnType<typeof listenTo>>

const openFirst = async (port: number, path: string, headers: Record<string, string>) => {
  const options = { port, host: '127.0.0.1', path, headers, rejectUnauthorized: false, agent: false as const }
  const request = https.request(options).on('error', () => {})
  request.end()
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  return {
    status: response.statusCode!,
    headers: response.headers,
    body: response as Readable,
    close: () => void request.destroy(),
  }
}

const openSecond = async (port: number, path: string, headers: Record<string, string>) => {
  const session = http2.connect(`https://127.0.0.1:${port}`, { rejectUnauthorized: false })
  session.on('error', () => {})
  const stream = session.request({ ':path': path, ...headers })
  const [response] = (await once(stream, 'response')) as [IncomingHttpHeaders & { ':status': number }]
  stream.once('close', () => session.close())
  return {
    status: response[':status'],
    headers: response,
    body: stream as Readable,
    close: () => void session.destroy(),
  }
}

const heard = (body: Readable) => {
  const events: Heard[] = []
  const comments: number[] = []
  let [text, lastId, raw, ended] = ['', '', '', false]
  let told = () => {}
  const block = (lines: string[]): void => {
    const last = (name: string) =>
      lines.findLast((line) => line.startsWith(`${name}: `))?.slice(name.length + 2)
    lastId = last('id') ?? lastId
    if (lines.includes(':')) comments.push(Date.now())
    const data = last('data')
    if (data !== undefined) events.push({ id: lastId, event: last('event')!, data: JSON.parse(data) })
  }
  body.setEncoding('utf8')
  body.on('error', () => {})
  body.on('data', (chunk: string) => {
    raw = (raw + chunk).slice(0, 100_000)
    const blocks = (text + chunk).split('\n\n')
    text = blocks.pop()!
    for (const one of blocks) block(one.split('\n'))
    told()
  })
  const over = new Promise<void>((resolve) =>
    body.once('close', () => {
      ended = true
      told()
      resolve()
    }),
  )
  /** What was heard once it fulfils this; what there is when the stream ends before. */
  const until = async (enough: (events: Heard[]) => boolean, limit = 10_000): Promise<Heard[]> => {
    const deadline = Date.now() + limit
    while (!enough(events) && !ended) {
      if (Date.now() > deadline) throw new Error(`heard only ${events.length} within ${limit} ms`)
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, 100)
        told = () => {
          clearTimeout(timer)
          resolve()
        }
      })
    }
    return events
  }
  return {
    events,
    comments,
    until,
    count: (number: number, limit?: number) => until(({ length }) => length >= number, limit),
    lastId: () => lastId,
    raw: () => raw,
    isOver: () => ended,
    over,
  }
}
