import type { Client, FileInfo } from 'basic-ftp'
import type { Context } from '../../../context.ts'
import { digest, type RawItem } from '../parse/digest.ts'
import { readFolder } from '../target.ts'
import { type Connector, type Due, maxBytes, PollFailure, timeout } from './polling.ts'

type Login = Pick<Due, 'username' | 'password'>
type Reads = Pick<Context, 'outgoing' | 'keys'>

/** A file is one item; one that was changed so lately may still be arriving. */
const settled = 30_000

export const fetchFolder: Connector = async (asking, due) => {
  const base = due.url!.endsWith('/') ? due.url! : `${due.url}/`
  const files = await inFolder(asking, due.url!, due, asking, listed)
  const now = Date.now()
  const items = files
    .filter((file) => file.isFile && isSettled(file, now))
    .toSorted((a, b) => roughDate(b, now) - roughDate(a, now))
    .map((file) => itemOf(file, base))
  const outcome = digest(items, due.seen?.toString('hex') ?? '', base, now)
  return outcome.items.length === 0 ? { state: {} } : { state: {}, outcome }
}

const listed = async (client: Client, path: string): Promise<FileInfo[]> => {
  await client.cd(path)
  return client.list()
}

const isSettled = ({ modifiedAt }: FileInfo, now: number): boolean => {
  const age = modifiedAt ? now - modifiedAt.getTime() : settled
  return age < 0 || age >= settled
}

/** Old servers write `Nov 15 10:00` in a zone of their own, and the year only of what is old: enough for an order. */
const roughDate = ({ modifiedAt, rawModifiedAt }: FileInfo, now: number): number => {
  if (modifiedAt) return modifiedAt.getTime()
  const hasYear = !/:/.test(rawModifiedAt)
  const date = Date.parse(`${rawModifiedAt}${hasYear ? '' : ` ${new Date(now).getUTCFullYear()}`} GMT`)
  const aYear = 365 * 86_400_000
  return Number.isNaN(date) ? 0 : !hasYear && date > now + 86_400_000 ? date - aYear : date
}

const itemOf = ({ name, modifiedAt }: FileInfo, base: string): RawItem => {
  const url = base + encodeURIComponent(name)
  return {
    reference: modifiedAt ? `${name} ${modifiedAt.toISOString()}` : name,
    url,
    title: name.replaceAll('&', '&amp;').replaceAll('<', '&lt;'),
    image: /\.(jpe?g|png|gif|webp|tiff?)$/i.test(name) ? url : undefined,
    date: modifiedAt?.toISOString(),
  }
}

/**
 * Runs something on an FTP server that somebody named. The socket opens to the address that was judged, and data only
 * comes from there: the library refuses a server that names another host for it.
 */
export const inFolder = async <T>(
  { outgoing, keys }: Reads,
  address: string,
  { username, password }: Login,
  { signal, timeout: most = timeout }: { signal: AbortSignal; timeout?: number },
  work: (client: Client, path: string) => Promise<T>,
): Promise<T> => {
  const { url, isSecure, path } = readFolder(outgoing, address)
  const name = url.hostname.replace(/^\[|\]$/g, '')
  const [host] = await outgoing.addresses(name)
  const { Client } = await import('basic-ftp')
  const client = new Client(timeout, { allowSeparateTransferHost: false, maxListingBytes: maxBytes })
  const stop = () => client.close()
  const timer = setTimeout(stop, most)
  signal.addEventListener('abort', stop)
  try {
    await client.access({
      host: host!,
      port: Number(url.port || 21),
      user: username ?? 'anonymous',
      password: password ? keys.decrypt(password) : 'anonymous@',
      secure: isSecure,
      ...(isSecure && { secureOptions: { servername: name } }),
    })
    return await work(client, path)
  } catch (error) {
    throw new PollFailure(ftpMessage(error))
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', stop)
    client.close()
  }
}

/** By its code alone: what a server says may name what is inside. */
const ftpMessage = (error: unknown): string => {
  const { code } = error as { code?: unknown }
  if (code === 530) return 'The folder refuses the user name or password'
  if (code === 550) return 'There is no such folder'
  return typeof code === 'number' ? `The FTP server answered ${code}` : 'The folder could not be read'
}
