import { api } from '../api/client.ts'

export type LiveEvent = { id: string; event: string; payload: { id: string } & Record<string, unknown> }

/** Reads server-sent events from a response, so that the token travels in a header and not in an address. */
export const readEvents = async (
  lastId: string | undefined,
  signal: AbortSignal,
  onOpen: () => void,
  onEvent: (id: string, event: LiveEvent | undefined) => void,
): Promise<void> => {
  const headers: Record<string, string> = lastId ? { 'last-event-id': lastId } : {}
  const response = await api.fetch('GET', '/events', { headers, signal })
  onOpen()
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
  let rest = ''
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    const blocks = (rest + value).split('\n\n')
    rest = blocks.pop()!
    for (const block of blocks) take(block, onEvent)
  }
}

const take = (block: string, onEvent: (id: string, event: LiveEvent | undefined) => void): void => {
  const fields = new Map(
    block.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
  )
  const data = fields.get('data')
  const id = fields.get('id')
  if (id) onEvent(id, data ? JSON.parse(data) : undefined)
}
