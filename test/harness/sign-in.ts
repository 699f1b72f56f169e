import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'
import { Agent, fetch } from 'undici'
import { eventually } from './access.ts'
import type { Call, TestApp } from './app.ts'

/** Requests name their own address, and sign-in links may lead to these places. */
export const signInSettings = {
  MARQUEE_TRUST_PROXY: '127.0.0.1',
  MARQUEE_REDIRECT_URLS: 'https://www.example.org/signed-in, https://app.example.org/members/',
}
export const redirect_url = 'https://www.example.org/signed-in'

let addresses = 0
/** Each call comes from an address of its own, so that the limits per address do not join tests. */
export const fromSomewhere = () => {
  addresses += 1
  return { 'x-forwarded-for': `198.18.${addresses >> 8}.${addresses & 255}` }
}

export type Reader = { id: string; email: string; password: string }

/** A person who can sign in. */
export const addReader = async (app: TestApp, more: object = {}): Promise<Reader> => {
  const email = `${randomUUID()}@example.org`
  const password = `pw-${randomUUID()}`
  const made = await app.post('/persons', { first_name: 'Robin', emails: [email], password, ...more })
  assert.equal(made.status, 201, made.text)
  return { id: made.body.id, email, password }
}

export const signIn = (
  app: TestApp,
  { email, password }: Omit<Reader, 'id'>,
  more: object = {},
  call: Call = {},
) => app.post('/sessions', { email, password, ...more }, { headers: fromSomewhere(), ...call })

/** Enrols an authenticator app for a person. The code that confirmed it was the last step's, so this one's is new. */
export const enrolReader = async (app: TestApp, { id }: Reader): Promise<TOTP> => {
  const started = await app.call('POST', `/persons/${id}/two_factor`)
  assert.equal(started.status, 201, started.text)
  const totp = new TOTP({ secret: Secret.fromBase32(started.body.secret) })
  const two_factor_code = totp.generate({ timestamp: Date.now() - 30_000 })
  const confirmed = await app.put(`/persons/${id}`, { two_factor_code })
  assert.equal(confirmed.status, 200, confirmed.text)
  return totp
}

export const askForLink = (app: TestApp, email: string, more: object = {}, call: Call = {}) =>
  app.post(
    '/customers/request_sign_in',
    { email, redirect_url, ...more },
    { headers: fromSomewhere(), ...call },
  )

export type Letter = { id: string; to: string; subject: string; text: string; html: string | null }

export const lettersTo = async (app: TestApp, email: string): Promise<Letter[]> =>
  (await app.get(`/mailbox?to[eq]=${encodeURIComponent(email)}`)).body.items

export const linkIn = (text: string): string =>
  /https:\/\/\S+\/customers\/sign_in\/[\w-]+/.exec(text)?.[0] ?? ''

/** Asks for a link and takes it out of the letter. */
export const linkFor = async (
  app: TestApp,
  { email }: { email: string },
  more: object = {},
): Promise<string> => {
  const known = (await lettersTo(app, email)).length
  const asked = await askForLink(app, email, more)
  assert.equal(asked.status, 202, asked.text)
  const letter = await eventually(async () => {
    const letters = await lettersTo(app, email)
    return letters.length > known ? letters[0] : undefined
  }, 20_000)
  return linkIn(letter.text)
}

const dispatcher = new Agent({ connect: { rejectUnauthorized: false } })

/** Opens a link as a browser does, but goes no further than where it leads. */
export const openLink = async (app: TestApp, link: string, method = 'GET') => {
  const { pathname } = new URL(link)
  const response = await fetch(app.origin + pathname, { method, redirect: 'manual', dispatcher })
  const location = response.headers.get('location')
  const token = location ? new URL(location).searchParams.get('access_token') : null
  return {
    status: response.status,
    headers: response.headers,
    location,
    token: token ?? '',
    text: await response.text(),
  }
}

export const useMagic = (app: TestApp, token: string, query = '?ttl=0', body?: object) =>
  app.call('POST', `/customers/sign_in_with_magic${query}`, { token, headers: fromSomewhere(), body })

/** A personal token, come by as persons do. */
export const personalToken = async (app: TestApp, reader: Reader): Promise<string> => {
  const { token } = await openLink(app, await linkFor(app, reader))
  const signedIn = await useMagic(app, token)
  assert.equal(signedIn.status, 200, signedIn.text)
  return signedIn.body.access_token.access_token
}
