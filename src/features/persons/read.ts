import { type Moment, parseMoment } from '../../database/values.ts'
import { type PersonInput, textNames } from './input.ts'
import type { PersonBody } from './schema.ts'
import { namesV5, tokenNames } from './schema-v5.ts'

/** A body that its schema has let through, as commands take it. */
export const readPerson = (body: Partial<PersonBody>): PersonInput => ({
  ...textsOf(body),
  id: body.id,
  gender: body.gender,
  date_of_birth: body.date_of_birth,
  exclude_until: body.exclude_until === null ? null : momentOf(body.exclude_until),
  created_on: momentOf(body.created_on),
  last_seen: momentOf(body.last_seen),
  tracking: body.tracking,
  custom: body.custom === null ? [] : body.custom,
  picture_id: typeof body.profile_photo === 'object' ? (body.profile_photo?.id ?? null) : body.profile_photo,
  emails: listOf(body.emails)?.map((item) => (typeof item === 'string' ? { email: item } : item)),
  phones: listOf(body.phones)?.map((item) =>
    typeof item === 'string' ? { phone: item } : { id: item.id, phone: item.phone },
  ),
  addresses: listOf(body.addresses)?.map((item) =>
    typeof item === 'string' ? { street: item } : addressOf(item),
  ),
  bank_accounts: listOf(body.bank_accounts)?.map((item) =>
    typeof item === 'string' ? { iban: item } : item,
  ),
  terms: listOf(body.terms),
  accounts: listOf(body.accounts)?.map(({ id, provider }) => ({ id, provider })),
  tags: listOf(body.tags),
  password: body.password,
  two_factor_code: body.two_factor_code ?? undefined,
})

/** The same body by the names of version 5. */
export const readPersonV5 = (body: Record<string, unknown>): PersonInput => {
  const renamed = { ...body }
  for (const [ours, theirs] of Object.entries(namesV5)) renamed[ours] = body[theirs]
  const tokens = Object.entries(tokenNames).filter(([, name]) => body[name] !== undefined)
  return {
    ...readPerson(renamed),
    provider_tokens: Object.fromEntries(tokens.map(([provider, name]) => [provider, body[name]])),
  }
}

const textsOf = (body: Partial<PersonBody>): Pick<PersonInput, (typeof textNames)[number]> =>
  Object.fromEntries(textNames.map((name) => [name, body[name]]))

const momentOf = (sent: string | number | null | undefined): Moment | undefined =>
  sent === null || sent === undefined ? undefined : parseMoment(sent)

const listOf = <T>(sent: T[] | { items: T[] } | null | undefined): T[] | undefined => {
  if (sent === undefined) return undefined
  return sent === null ? [] : Array.isArray(sent) ? sent : sent.items
}

const addressOf = <T extends { number?: string | number | null }>({ number, ...rest }: T) => ({
  ...rest,
  ...(number !== undefined && { number: number === null ? null : String(number) }),
})
