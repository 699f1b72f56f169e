import type { Tx } from '../../database/connect.ts'
import { executeWithCommit } from '../../database/driver.ts'
import type { Person } from '../persons/table.ts'

/** Names and phone numbers of a person in one text, numbers also without what parts their digits. */
export const personText = (person: Person | null): string => {
  if (!person) return ''
  const { initials, first_name, prefix_last_name, last_name, nickname, phones } = person
  const numbers = phones.flatMap(({ phone }) => withDigits(phone))
  return [initials, first_name, prefix_last_name, last_name, nickname, ...numbers].filter(Boolean).join(' ')
}

const withDigits = (phone: string): string[] => [phone, phone.replaceAll(/\D/g, '')]

/** What a message is found by besides its words: of its person, and what it says of its sender itself. */
export const senderText = (
  person: Person | null,
  { nickname, phone }: { nickname: string | null; phone: string | null },
): string =>
  [personText(person), nickname, ...(phone === null ? [] : withDigits(phone))].filter(Boolean).join(' ')

/** Lets the messages of these persons be found by what they are called now. */
export const renameSenders = async (tx: Tx, environmentId: string, persons: Person[]): Promise<void> => {
  if (persons.length === 0) return
  await executeWithCommit(tx, rename, [
    environmentId,
    persons.map(({ key }) => key),
    persons.map((person) => personText(person)),
  ])
}

const rename = `update messages set sender = concat_ws(' ', nullif(new.text, ''), nickname, phone,
    regexp_replace(phone, '[^0-9]', '', 'g'))
  from unnest($2::bigint[], $3::text[]) as new (key, text)
  where messages.environment_id = $1 and messages.person_key = new.key`
