import type { Context } from '../../context.ts'
import type { FieldError } from '../../errors.ts'
import { OutgoingFailure } from '../../outgoing/failure.ts'
import { sha256 } from '../../secrets.ts'
import { hashtagUrl } from './connect/addresses.ts'
import { type FollowedBy, followedBy, isMicroblog, type SourceLabel } from './labels.ts'

type Reads = Pick<Context, 'config' | 'outgoing'>
type Sent = { [K in FollowedBy]?: string | null | undefined }

/** What is followed: in the spelling that is kept, and in one that is the same for all spellings. */
type Target = Sent & { target: string; origin: string | null; host: string }

const patterns: Record<Exclude<FollowedBy, 'url'>, RegExp> = {
  screen_name: /^[\w.-]{1,100}(@[\w.-]{1,100})?$/,
  body: /^[\p{L}\p{M}\p{N}_·]{1,100}$/u,
}

/** The first letter is what people write in front of it. */
const marks = { screen_name: '@', body: '#' }

export const readTarget = (
  { config, outgoing }: Reads,
  label: SourceLabel,
  sent: Sent,
  faults: FieldError[],
): Target | undefined => {
  const by = followedBy[label]
  const fault = (path: string, message: string) => void faults.push({ path, message })
  for (const other of ['url', 'screen_name', 'body'] as const)
    if (other !== by && sent[other] !== undefined && sent[other] !== null)
      fault(other, `is not for ${label}, which is followed by its ${by}`)
  const value = sent[by]
  if (typeof value !== 'string') return fault(by, 'is required') as undefined
  if (by === 'url') return readAddress(outgoing, label, value, faults)
  const name = value.startsWith(marks[by]) ? value.slice(1) : value
  if (!patterns[by].test(name)) return fault(by, `must be such as a ${label} has`) as undefined
  const base = isMicroblog(label) ? config.microblogUrl : undefined
  const host = base ? new URL(base).host : ''
  const page = base && by === 'body' ? { url: hashtagUrl(base, name) } : {}
  return { [by]: name, ...page, target: keyOf(name.toLowerCase()), origin: host || null, host }
}

const readAddress = (
  outgoing: Context['outgoing'],
  label: SourceLabel,
  address: string,
  faults: FieldError[],
): Target | undefined => {
  try {
    const url = label === 'Ftp' ? readFolder(outgoing, address).url : outgoing.check(address)
    return { url: address, target: keyOf(url.href), origin: url.hostname, host: url.host }
  } catch (error) {
    if (!(error instanceof OutgoingFailure)) throw error
    faults.push({ path: 'url', message: label === 'Ftp' ? ftpMessage(error) : error.message })
    return undefined
  }
}

const ftpMessage = ({ reason, message }: OutgoingFailure): string =>
  reason === 'bad-url' ? 'The address must be ftp or ftps, without a user name or password' : message

type Folder = { url: URL; isSecure: boolean; path: string }

/** The parser knows the default port and every spelling of an address for ftp, and for ftps nothing. */
export const readFolder = (outgoing: Context['outgoing'], address: string): Folder => {
  const url = /^ftps?:/i.test(address) ? URL.parse(address.replace(/^ftps:/i, 'ftp:')) : null
  if (url?.username !== '' || url.password !== '') throw new OutgoingFailure('bad-url')
  outgoing.check(`http://${url.hostname}/`)
  const path = pathOf(url)
  const isSecure = /^ftps:/i.test(address)
  return { url: isSecure ? new URL(url.href.replace(/^ftp:/, 'ftps:')) : url, isSecure, path }
}

/** Nothing that would end a command. */
const pathOf = (url: URL): string => {
  try {
    const path = decodeURIComponent(url.pathname)
    if (!/\p{Cc}/u.test(path)) return path
  } catch {}
  throw new OutgoingFailure('bad-url')
}

/** An index holds no more than this. */
const keyOf = (text: string): string => (text.length <= 500 ? text : `sha256:${sha256(text).toString('hex')}`)
