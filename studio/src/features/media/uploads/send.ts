import { ApiError } from 'marquee-sdk'
import { dropAccess, openAccess } from '../../../api/session.ts'
import type { Asset } from '../files.ts'

export type Sending = { signal: AbortSignal; onSent: (bytes: number) => void }

/** By the older way of calling, because the newer one cannot tell how much of a file is sent. */
export const sendForm = async (
  method: 'POST' | 'PUT',
  path: string,
  values: Record<string, string | number | Blob | undefined>,
  sending: Sending,
): Promise<Asset> => {
  const form = new FormData()
  // Files last, so that what they are is known when they arrive.
  const given = Object.entries(values).filter(([, value]) => value !== undefined)
  given.sort(([, one], [, other]) => Number(one instanceof Blob) - Number(other instanceof Blob))
  for (const [name, value] of given) form.append(name, value instanceof Blob ? value : String(value))
  try {
    return await send(method, path, form, sending)
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 401) throw error
    dropAccess()
    return send(method, path, form, sending)
  }
}

const send = async (
  method: string,
  path: string,
  form: FormData,
  { signal, onSent }: Sending,
): Promise<Asset> => {
  const { token } = await openAccess()
  signal.throwIfAborted()
  const { promise, resolve, reject } = Promise.withResolvers<Asset>()
  const request = new XMLHttpRequest()
  const abort = () => request.abort()
  request.open(method, path)
  request.setRequestHeader('authorization', `Bearer ${token}`)
  request.upload.onprogress = ({ loaded }) => onSent(loaded)
  request.onload = () => {
    const body = parsed(request.responseText)
    if (request.status < 300) resolve(body as Asset)
    else reject(new ApiError(request.status, body, request.getResponseHeader('retry-after')))
  }
  request.onerror = () => reject(new ApiError(0))
  request.onabort = () => reject(new DOMException('', 'AbortError'))
  signal.addEventListener('abort', abort, { once: true })
  request.send(form)
  return promise.finally(() => signal.removeEventListener('abort', abort))
}

const parsed = (text: string): object => {
  try {
    return JSON.parse(text)
  } catch {
    return {}
  }
}

/** What may go better by itself: no network, or a service that is busy or being restarted. */
export const isPassing = (error: unknown): boolean =>
  error instanceof ApiError && [0, 429, 502, 503, 504].includes(error.status)

/** Until it makes sense to try again: a growing while, or the moment the network is back. */
export const patience = async (attempt: number, signal: AbortSignal): Promise<void> => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, Math.min(1000 * 2 ** attempt, 30_000))
  const go = () => resolve()
  window.addEventListener('online', go, { once: true })
  signal.addEventListener('abort', go, { once: true })
  await promise
  clearTimeout(timer)
  window.removeEventListener('online', go)
  signal.throwIfAborted()
}
