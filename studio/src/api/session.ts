import { ApiError } from 'marquee-sdk'

/**
 * The cookie opens nothing but this exchange: for a token of ten minutes, kept in memory alone, with what the role of
 * the user may do in one environment.
 */
export type Access = {
  token: string
  environmentId: string
  scopes: ReadonlySet<string>
  renewAt: number
  endsAt: number
}

export class SignedOut extends Error {}
export class NoSuchEnvironment extends Error {}

const prefix = /^\/studio\/e\/([^/]+)/
/** The environment that the address names. */
export const environmentInAddress = (): string | undefined => prefix.exec(location.pathname)?.[1]
export const basePath = (environmentId: string): string => `/studio/e/${environmentId}`

const keys = { environment: 'marquee.environment', session: 'marquee.session' }
const ownPage = { 'content-type': 'application/json', 'x-marquee-csrf': '1' }

let access: Access | undefined
let pending: Promise<Access> | undefined
const watchers = new Set<() => void>()

export const currentAccess = (): Access | undefined => access
export const watchAccess = (watcher: () => void): (() => void) => {
  watchers.add(watcher)
  return () => watchers.delete(watcher)
}

/** The access that holds now; renewed when it is about to end, once for all who ask. */
export const openAccess = async (): Promise<Access> => {
  if (access && Date.now() < access.renewAt) return access
  pending ??= exchange().finally(() => {
    pending = undefined
  })
  const held = access
  return pending.catch((error) => {
    // A renewal comes early, so that a moment without network is not noticed.
    if (error instanceof ApiError && held && Date.now() < held.endsAt) return held
    throw error
  })
}

export const dropAccess = (): void => {
  access = undefined
}

const exchange = async (): Promise<Access> => {
  const named = environmentInAddress()
  const wanted = named ?? localStorage.getItem(keys.environment) ?? undefined
  const first = await ask(wanted)
  // What was remembered may be gone; what the address names must be there.
  const answer = first.error === 'invalid_request' && !named ? await ask(undefined) : first
  if (answer.error === 'invalid_grant') throw new SignedOut()
  if (answer.error) throw new NoSuchEnvironment()
  const lasts = answer.expires_in * 1000
  access = {
    token: answer.access_token,
    environmentId: answer.environment_id,
    scopes: new Set(answer.scope.split(' ')),
    renewAt: Date.now() + lasts * 0.8,
    endsAt: Date.now() + lasts - 5000,
  }
  localStorage.setItem(keys.environment, access.environmentId)
  for (const watcher of watchers) watcher()
  return access
}

type Exchanged = {
  error?: string
  access_token: string
  environment_id: string
  scope: string
  expires_in: number
}

const ask = async (environment_id: string | undefined): Promise<Exchanged> => {
  const response = await post('/oauth/access_token', { grant_type: 'urn:marquee:session', environment_id })
  const body = await response.json().catch(() => ({}))
  if (response.ok || (response.status === 400 && body.error)) return body
  throw new ApiError(response.status, body, response.headers.get('retry-after'))
}

const post = (path: string, body: object): Promise<Response> =>
  fetch(path, { method: 'POST', headers: ownPage, body: JSON.stringify(body) }).catch(() => {
    throw new ApiError(0)
  })

export const signIn = async (email: string, password: string, two_factor_code?: string): Promise<void> => {
  const response = await post('/sessions', { email, password, ...(two_factor_code && { two_factor_code }) })
  const body = await response.json().catch(() => ({}))
  if (!response.ok) throw new ApiError(response.status, body, response.headers.get('retry-after'))
  // Its id alone opens nothing; it is needed to end the session.
  localStorage.setItem(keys.session, body.id)
}

export const signOut = async (): Promise<void> => {
  const id = localStorage.getItem(keys.session)
  if (id)
    await fetch(`/sessions/${encodeURIComponent(id)}`, {
      method: 'DELETE',
      headers: { 'x-marquee-csrf': '1' },
    })
  localStorage.removeItem(keys.session)
  access = undefined
  location.assign('/studio/sign-in')
}

/** Back to where it was, once signed in again. */
export const goToSignIn = (): void => {
  const to = location.pathname + location.search
  location.assign(
    `/studio/sign-in${to === '/studio' || to === '/studio/' ? '' : `?to=${encodeURIComponent(to)}`}`,
  )
}
