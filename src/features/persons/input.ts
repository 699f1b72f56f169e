import type { Moment } from '../../database/values.ts'
import type { Account, Address, Gender, PersonRow, Provider } from './table.ts'

/** Texts of the row that are stored as they come. */
export const textNames = [
  'reference_id',
  'initials',
  'first_name',
  'preposition',
  'prefix_last_name',
  'last_name',
  'nickname',
  'company',
  'job_title',
  'description',
  'biography',
  'social_media_handle',
  'source',
] as const satisfies (keyof PersonRow)[]

type Texts = { [K in (typeof textNames)[number]]?: string | null }
type List<T> = (T & { id?: string })[]

/** What a caller wants a person to be, whichever generation it was said in. What is undefined stays; null clears. */
export type PersonInput = Texts & {
  /** For a new person only. */
  id?: string
  gender?: Gender | null
  date_of_birth?: string | null
  exclude_until?: Moment | null
  created_on?: Moment
  last_seen?: Moment
  tracking?: boolean
  custom?: string[]
  picture_id?: string | null
  emails?: List<{ email: string; verified?: boolean }>
  phones?: List<{ phone: string }>
  addresses?: List<Partial<Omit<Address, 'id' | 'created_on' | 'changed_on'>>>
  terms?: { id: string; source?: string | null }[]
  accounts?: Pick<Account, 'id' | 'provider'>[]
  bank_accounts?: List<{ iban: string; holder?: string | null }>
  tags?: { id?: string; body?: string }[]
  provider_tokens?: { [K in Provider]?: string | null }
  password?: string | null
  two_factor_code?: string
}
