import { connect, type Socket } from 'node:net'
import { percentile } from '../service.ts'

export type Load = { perSecond: number; p50: number; p99: number; bytes: number }

/**
 * Keep-alive connections that send the next request when the answer is there. Plain sockets: a full HTTP client
 * would take a good part of the two cores that it shares with what it measures.
 */
export const load = async (
  origin: string,
  connections: number,
  seconds: number,
  request: (number: number) => string,
): Promise<Load> => {
  const { hostname, port } = new URL(origin)
  const times: number[] = []
  let sent = 0
  let bytes = 0
  const from = performance.now()
  const until = from + seconds * 1000
  const drive = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const socket = connect(Number(port), hostname)
      let started = 0
      const next = () => {
        if (performance.now() >= until) return void socket.end(resolve)
        started = performance.now()
        sent += 1
        socket.write(request(sent))
      }
      socket.on('connect', next).on('error', reject)
      onAnswers(socket, (status, length) => {
        if (status >= 400) reject(new Error(`answered with ${status}`))
        times.push(performance.now() - started)
        bytes += length
        next()
      })
    })
  await Promise.all(Array.from({ length: connections }, drive))
  const lasted = (performance.now() - from) / 1000
  return {
    perSecond: times.length / lasted,
    p50: percentile(times, 0.5),
    p99: percentile(times, 0.99),
    bytes: Math.round(bytes / times.length),
  }
}

/** Answers of a server that always says how long they are. */
const onAnswers = (socket: Socket, answered: (status: number, length: number) => void): void => {
  let buffer = Buffer.alloc(0)
  socket.on('data', (data) => {
    buffer = buffer.length === 0 ? data : Buffer.concat([buffer, data])
    for (;;) {
      const head = buffer.indexOf('\r\n\r\n')
      if (head < 0) return
      const text = buffer.toString('latin1', 0, head)
      const length = Number(/content-length: (\d+)/i.exec(text)?.[1] ?? 0)
      const end = head + 4 + length
      if (buffer.length < end) return
      const status = Number(text.slice(9, 12))
      if (status >= 400) console.error(text, buffer.subarray(head + 4, end).toString())
      buffer = buffer.subarray(end)
      answered(status, length)
    }
  })
}

export const httpRequest = (
  method: string,
  path: string,
  headers: Record<string, string>,
  body?: string,
): string => {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  const content =
    body === undefined
      ? ''
      : `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n`
  return `${method} ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\n${lines.join('')}${content}\r\n${body ?? ''}`
}
