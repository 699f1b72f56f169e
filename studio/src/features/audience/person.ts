import type { Marquee } from 'marquee-sdk'
import { t } from '../../texts/index.ts'

export type Person = Marquee.Person

/** What a list of persons asks for to show a row. */
export const rowFields = 'prefix_last_name,emails,tags,age,reference_id'

type Named = Pick<Person, 'first_name' | 'last_name' | 'nickname' | 'initials'> &
  Partial<Pick<Person, 'prefix_last_name' | 'emails' | 'reference_id'>>

/** What somebody is called; who has no name is told by an address or the caller's own id. */
export const personName = (person: Named): string => {
  const { first_name, initials, prefix_last_name, last_name, nickname } = person
  const names = [first_name ?? (last_name && initials), prefix_last_name, last_name].filter(Boolean).join(' ')
  return names || nickname || person.emails?.items?.[0]?.email || person.reference_id || t.audience.nameless
}
