import { ApiError } from './error.ts'
import type { Operations as Unversioned } from './generated/unversioned.ts'
import type { Operations as V5 } from './generated/v5.ts'
import { queryString } from './query.ts'

type Operations = { [M in Method]: Unversioned[M] & V5[M] }
export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'
/** Paths that take a method, with their parameters in braces: `/channels/{id}`. */
export type Path<M extends Method> = keyof Operations[M]
type Part<O, K extends 'given' | 'answer'> = O extends Record<K, infer Found> ? Found : never

export type Answer<M extends Method, P extends Path<M>> = Part<Operations[M][P], 'answer'>
type Given<M extends Method, P extends Path<M>> = Part<Operations[M][P], 'given'>
export type Query<M extends Method, P extends Path<M>> =
  Given<M, P> extends { query?: infer Q } ? NonNullable<Q> : never
export type Body<M extends Method, P extends Path<M>> =
  Given<M, P> extends { body?: infer B } ? Exclude<B, FormData | undefined> : never

type Extra = { headers?: Record<string, string>; signal?: AbortSignal | undefined }
/** Path parameters, query and body as the operation has them; what it needs must be given. */
export type Options<M extends Method, P extends Path<M>> = Given<M, P> & Extra
type Sent<M extends Method, P extends Path<M>> =
  object extends Given<M, P> ? [options?: Options<M, P>] : [options: Options<M, P>]

type Call<M extends Method> = <P extends Path<M>>(path: P, ...sent: Sent<M, P>) => Promise<Answer<M, P>>
export type Client = {
  get: Call<'GET'>
  post: Call<'POST'>
  put: Call<'PUT'>
  delete: Call<'DELETE'>
  /** The whole response, for headers, files and streams; an error is thrown all the same. */
  fetch(method: Method, path: string, options?: AnyOptions): Promise<Response>
}

export type ClientOptions = {
  /** Such as `https://localhost:8443`; empty for the page's own. */
  baseUrl?: string
  /** A token, or how to come by the current one. */
  token?: string | (() => string | undefined | Promise<string | undefined>)
  fetch?: typeof globalThis.fetch
}

type AnyOptions = {
  path?: Record<string, string | number>
  query?: object
  body?: unknown
  headers?: Record<string, string>
  signal?: AbortSignal | undefined
}

/** A client of both generations: `client.get('/channels/{id}', { path: { id } })`. */
export const createClient = ({
  baseUrl = '',
  token,
  fetch = globalThis.fetch,
}: ClientOptions = {}): Client => {
  const send = async (method: Method, template: string, options: AnyOptions = {}): Promise<Response> => {
    const value = typeof token === 'function' ? await token() : token
    const headers = { ...(value && { authorization: `Bearer ${value}` }), ...options.headers }
    const url = baseUrl + filled(template, options.path) + queryString(options.query ?? {})
    const response = await fetch(url, {
      method,
      signal: options.signal ?? null,
      ...payload(options.body, headers),
    })
    if (!response.ok) throw await errorOf(response)
    return response
  }
  const call =
    (method: Method) =>
    async (path: string, options?: AnyOptions): Promise<never> =>
      (await read(await send(method, path, options))) as never
  return {
    get: call('GET') as Client['get'],
    post: call('POST') as Client['post'],
    put: call('PUT') as Client['put'],
    delete: call('DELETE') as Client['delete'],
    fetch: send,
  }
}

const filled = (template: string, path: Record<string, string | number> = {}): string =>
  template.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(path[name])))

const payload = (body: unknown, headers: Record<string, string>): RequestInit => {
  if (body === undefined) return { headers }
  if (body instanceof FormData || body instanceof Blob) return { headers, body }
  return { headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(body) }
}

const isJson = (response: Response): boolean => /[/+]json/.test(response.headers.get('content-type') ?? '')

const read = async (response: Response): Promise<unknown> => {
  if (response.status === 204) return undefined
  return isJson(response) ? response.json() : response.text()
}

const errorOf = async (response: Response): Promise<ApiError> => {
  const body: unknown = isJson(response) ? await response.json().catch(() => ({})) : {}
  return new ApiError(response.status, body as object, response.headers.get('retry-after'))
}
