import { randomUUIDv7 } from 'node:crypto'
import { isoDate } from '../../../dates.ts'
import type { ProviderRecord } from '../table.ts'
import type { ProviderName } from './kinds.ts'
import { type ProviderBody, providerFields } from './schema.ts'

/**
 * A list of a provider's records that replaces another. Under the id that it had, or where it says what was there, a
 * record keeps its id and `created_on`; one that says nothing new is the same object.
 */
export const replaceRecords = (
  name: ProviderName,
  before: ProviderRecord[],
  sent: ProviderBody[],
  body: string,
  now: Date,
): ProviderRecord[] => {
  const said = sent.map((one) => whole(name, one, body))
  const unique = [...Map.groupBy(said, ({ id, ...rest }) => id ?? JSON.stringify(rest)).values()]
  const named = new Set(said.map(({ id }) => id))
  return unique.map((same) => {
    const { id, ...rest } = same.at(-1)!
    const known = before.find((one) =>
      id === undefined ? !named.has(one.id) && says(one, rest) : one.id === id,
    )
    if (known && says(known, rest)) return known
    const times = known
      ? { created_on: known.created_on, changed_on: isoDate(now) }
      : { created_on: isoDate(now), changed_on: null }
    return { id: known?.id ?? id ?? randomUUIDv7(), ...times, ...rest } as ProviderRecord
  })
}

type Said = { id?: string; body: string } & Record<string, unknown>

const whole = (name: ProviderName, { id, body: own, ...sent }: ProviderBody, body: string): Said => ({
  ...(id !== undefined && { id }),
  body: own ?? body,
  ...Object.fromEntries(Object.keys(providerFields[name]).map((field) => [field, sent[field] ?? null])),
})

const says = (known: ProviderRecord, said: Record<string, unknown>): boolean =>
  Object.entries(said).every(([field, value]) => known[field] === value)
