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

/** Encrypted, as they are never shown; the same text where nothing has changed. */
export const applyTokens = (
  keys: Keys,
  { provider_tokens }: Pick<Person, 'provider_tokens'>,
  sent: Tokens = {},
): string | null => {
  const before: Record<string, string> =
    provider_tokens === null ? {} : JSON.parse(keys.decrypt(provider_tokens))
  const changed = Object.entries(sent).filter(([provider, token]) => (before[provider] ?? null) !== token)
  if (changed.length === 0) return provider_tokens
  const after = Object.entries({ ...before, ...Object.fromEntries(changed) }).filter(([, token]) => token)
  return after.length === 0 ? null : keys.encrypt(JSON.stringify(Object.fromEntries(after)))
}
