import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Webhook } from 'standardwebhooks'

export type Message = { record: string; event: string; calls: number; refused: number }

/** A real receiver of webhooks: checks signatures, refuses some calls, and remembers what it was told. */
export const startReceiver = async (refuses = 0.05) => {
  const messages = new Map<string, Message>()
  const faults: string[] = []
  let verify: ((text: string, headers: Record<string, string>) => unknown) | undefined

  const take = (text: string, headers: Record<string, string>): boolean => {
    const id = headers['webhook-id']!
    try {
      verify!(text, headers)
    } catch (error) {
      faults.push(`${id}: ${error}`)
    }
    const { id: told, event, payload } = JSON.parse(text)
    const known = messages.get(id) ?? { record: payload.id, event, calls: 0, refused: 0 }
    if (told !== id || known.record !== payload.id || known.event !== event)
      faults.push(`${id}: is not what it was at first`)
    messages.set(id, known)
    known.calls += 1
    const isRefused = known.refused === 0 && Math.random() < refuses
    if (isRefused) known.refused += 1
    return !isRefused
  }
  const server = createServer(async (request, response) => {
    const chunks = await request.toArray().catch(() => undefined)
    // Cut off by a kill: it has not been told anything.
    if (!chunks || !request.complete) return
    const went = take(Buffer.concat(chunks).toString(), request.headers as Record<string, string>)
    response.writeHead(went ? 204 : 500).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    messages,
    faults,
    expect(secret: string): void {
      const webhook = new Webhook(secret)
      verify = (text, headers) => webhook.verify(text, headers, { jsonParse: false })
    },
    async close(): Promise<void> {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
export type Receiver = Awaited<ReturnType<typeof startReceiver>>
