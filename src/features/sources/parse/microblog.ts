import type { RawItem } from './digest.ts'
import { NotAFeed } from './feed.ts'

type Account = { display_name?: unknown; acct?: unknown }
type Status = Record<'id' | 'uri' | 'url' | 'created_at' | 'content' | 'spoiler_text', unknown> & {
  account?: Account
  media_attachments?: unknown
}

const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined

/** Posts as a Mastodon-compatible server lists them, and the id of the newest. */
export const readStatuses = (json: string): { items: RawItem[]; cursor: string | undefined } => {
  const statuses = parse(json).filter((one): one is Status => typeof one === 'object' && one !== null)
  const ids = statuses.flatMap(({ id }) => text(id) ?? [])
  return {
    items: statuses.map(itemOf),
    // Ids are numbers that grow, too large for a number.
    cursor: ids.toSorted((a, b) => a.length - b.length || (a < b ? -1 : 1)).at(-1),
  }
}

const parse = (json: string): unknown[] => {
  try {
    const parsed: unknown = JSON.parse(json)
    if (Array.isArray(parsed)) return parsed
  } catch {}
  throw new NotAFeed('What the microblog answers is not a list of posts')
}

const itemOf = ({ account, media_attachments, ...status }: Status): RawItem => ({
  reference: text(status.uri) ?? text(status.id),
  url: text(status.url) ?? text(status.uri),
  title: text(status.spoiler_text),
  body: text(status.content),
  author: text(account?.display_name) ?? text(account?.acct),
  image: pictureOf(media_attachments),
  date: text(status.created_at),
})

const pictureOf = (attachments: unknown): string | undefined => {
  if (!Array.isArray(attachments)) return undefined
  const picture = attachments.find((one) => one?.type === 'image')
  return text(picture?.url) ?? text(picture?.preview_url)
}
