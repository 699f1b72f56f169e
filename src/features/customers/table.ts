import type { Generated, Selectable } from 'kysely'

/** A link that was asked for. Only the job that mails it finds out whether the address is anybody's. */
export type SignInRequestTable = {
  environment_id: string
  id: string
  email: string | null
  template_id: string | null
  redirect_url: string
  person_key: string | null
  hash: Buffer | null
  expires_on: Date
  created_on: Generated<Date>
}

export type SignInRequestRow = Selectable<SignInRequestTable>
