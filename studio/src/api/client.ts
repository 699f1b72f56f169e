import { ApiError, createClient } from 'marquee-sdk'
import { dropAccess, goToSignIn, openAccess, SignedOut } from './session.ts'

/** A token that was revoked early is exchanged once more before the user is asked to sign in. */
const send: typeof fetch = async (url, init) => {
  const first = await reach(url, init)
  if (first.status !== 401) return first
  dropAccess()
  const headers = { ...(init?.headers as Record<string, string>), authorization: `Bearer ${await token()}` }
  return reach(url, { ...init, headers })
}

const reach: typeof fetch = (url, init) =>
  fetch(url, init).catch((error) => {
    throw error instanceof DOMException && error.name === 'AbortError' ? error : new ApiError(0)
  })

const token = async (): Promise<string> => {
  try {
    return (await openAccess()).token
  } catch (error) {
    if (error instanceof SignedOut) goToSignIn()
    throw error
  }
}

/** The whole interface, typed: `api.get('/publications/{id}', { path: { id } })`. */
export const api = createClient({ token, fetch: send })
