import { parentPort } from 'node:worker_threads'
import { decodeText } from './decode.ts'
import { digest } from './digest.ts'
import { NotAFeed, readFeed } from './feed.ts'
import { readStatuses } from './microblog.ts'
import { type Outcome, type Sent, unreadable, type Work } from './run.ts'

/** Reads what strangers wrote in a thread of its own, which can be ended whatever it is busy with. */
const read = ({ kind, bytes, contentType, url, seen, now }: Work): Outcome => {
  const text = decodeText(bytes, contentType)
  if (kind === 'microblog') {
    const { items, cursor } = readStatuses(text)
    return { ...digest(items, seen, url, now), cursor, count: items.length }
  }
  const { items, base, ttl } = readFeed(text)
  return { ...digest(items, seen, URL.parse(base ?? '', url)?.href ?? url, now), ttl, count: items.length }
}

const answer = (work: Work): Sent => {
  try {
    return read(work)
  } catch (error) {
    return { fault: error instanceof NotAFeed ? error.message : unreadable }
  }
}

parentPort!.on('message', (work: Work) => parentPort!.postMessage(answer(work)))
parentPort!.postMessage('ready' satisfies Sent)
