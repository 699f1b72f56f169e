import type { Context } from '../../../context.ts'
import { addressOf } from './addresses.ts'
import { about, requireSuccess } from './feed.ts'
import {
  type Asking,
  type Connector,
  type Due,
  type Fetched,
  maxBytes,
  PollFailure,
  timeout,
} from './polling.ts'

type Account = { account_id: string; name: string; url: string | null; picture: string | null }

const page = 40

/** What the microblog knows of an account; null where it knows none of that name. */
export const findAccount = async (
  { config, outgoing }: Pick<Context, 'config' | 'outgoing'>,
  name: string,
  signal?: AbortSignal,
): Promise<Account | null> => {
  const address = addressOf(config.microblogUrl!, 'api/v1/accounts/lookup', { acct: name })
  const answer = await outgoing.request(address, { timeout, redirects: 'follow', ...(signal && { signal }) })
  if (answer.status === 404) {
    answer.discard()
    return null
  }
  requireSuccess(answer)
  return readAccount((await answer.bytes()).toString(), name)
}

const readAccount = (json: string, name: string): Account => {
  const { id, display_name, url, avatar } = parsed(json)
  if (typeof id !== 'string' || !/^[\w-]{1,100}$/.test(id)) throw new PollFailure(notUnderstood)
  return {
    account_id: id,
    name:
      (typeof display_name === 'string' && display_name.trim().slice(0, 200).toWellFormed()) || `@${name}`,
    url: linkOf(url),
    picture: linkOf(avatar),
  }
}

const notUnderstood = 'What the microblog answers is not understood'

const parsed = (json: string): Record<string, unknown> => {
  try {
    return Object(JSON.parse(json))
  } catch {
    throw new PollFailure(notUnderstood)
  }
}

const linkOf = (value: unknown): string | null => {
  const url = typeof value === 'string' ? URL.parse(value) : null
  return url && /^https?:$/.test(url.protocol) && url.href.length <= 2000 ? url.href : null
}

export const fetchAccount: Connector = async (asking, due) => {
  if (due.account_id) return fetchPosts(asking, due, `api/v1/accounts/${due.account_id}/statuses`)
  const found = await findAccount(asking, due.screen_name!, asking.signal)
  if (!found) throw new PollFailure('The microblog knows no account of this name')
  const { name: _name, ...account } = found
  const fetched = await fetchPosts(asking, due, `api/v1/accounts/${account.account_id}/statuses`)
  return { ...fetched, account }
}

export const fetchHashtag: Connector = (asking, due) =>
  fetchPosts(asking, due, `api/v1/timelines/tag/${encodeURIComponent(due.body!)}`)

/** What came behind the last post that was seen, or at first the newest ones. */
const fetchPosts = async (
  { config, outgoing, reader, budget, signal }: Asking,
  due: Due,
  path: string,
): Promise<Fetched> => {
  const query = {
    limit: String(page),
    ...(due.label === 'MicroblogAccount' && { exclude_replies: 'true', exclude_reblogs: 'true' }),
    ...(due.cursor && { min_id: due.cursor }),
  }
  const address = addressOf(config.microblogUrl!, path, query)
  const answer = await outgoing.request(address, { maxBytes, timeout, redirects: 'follow', signal })
  requireSuccess(answer)
  const { bytes, free } = await budget(answer.stream(), signal)
  const work = { kind: 'microblog' as const, bytes, contentType: 'application/json', ...about(due, answer) }
  const { count, ...outcome } = await reader.read(work).finally(free)
  if (count === 0) return { state: {} }
  const cursor = outcome.cursor ?? due.cursor
  return { state: { cursor }, outcome, more: due.cursor !== null && count >= page }
}
