import { Conflict } from '../../errors.ts'
import type { Keys } from '../../secrets.ts'
import type { PersonInput } from './input.ts'
import type { Person } from './table.ts'

type Tokens = NonNullable<PersonInput['provider_tokens']>

/** A provider would tell who the person is; no connector is there to ask one. */
export const refuseUnconfigured = (tokens: Tokens = {}, nameOf: (provider: string) => string): void => {
  const sent = Object.entries(tokens).filter(([, token]) => token)
  const errors = sent.map(([provider]) => ({
    path: nameOf(provider),
    message: 'has no configured connector',
  }))
  if (errors.length > 0) throw new Conflict(errors, 'ProviderNotConfigured')
}

export const openTokens = (keys: Keys, { provider_tokens }: Pick<Person, 'provider_tokens'>): Tokens =>
  provider_tokens === null ? {} : JSON.parse(keys.decrypt(provider_tokens))

export const sealTokens = (keys: Keys, tokens: Tokens): string | null => {
  const held = Object.entries(tokens).filter(([, token]) => token)
  return held.length === 0 ? null : keys.encrypt(JSON.stringify(Object.fromEntries(held)))
}

/** The same text where nothing has changed. */
export const applyTokens = (keys: Keys, before: Person, sent: Tokens = {}): string | null => {
  if (Object.keys(sent).length === 0) return before.provider_tokens
  const held: Record<string, string | null> = openTokens(keys, before)
  const isSame = Object.entries(sent).every(
    ([provider, token]) => (held[provider] ?? null) === (token || null),
  )
  return isSame ? before.provider_tokens : sealTokens(keys, { ...held, ...sent })
}
