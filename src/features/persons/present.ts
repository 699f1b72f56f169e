import { isoDateOrNull } from '../../dates.ts'
import { presentBase } from '../../http/schemas.ts'
import type { Person, SubRecord } from './table.ts'

/** What every read of the unversioned generation begins with; lists give rows without tags. */
export const presentPerson = (person: Omit<Person, 'tags'>) => ({
  ...presentBase('Person', person),
  last_seen: isoDateOrNull(person.last_seen),
  initials: person.initials,
  first_name: person.first_name,
  last_name: person.last_name,
  nickname: person.nickname,
  exclude_until: isoDateOrNull(person.exclude_until),
  source: person.source,
  custom: person.custom,
})

/** Sub-records as they are embedded. */
export const embedded = <T extends SubRecord>(label: string, items: T[]) => ({
  total: items.length,
  items: items.map(({ id, created_on, changed_on, ...rest }) => ({
    id,
    created_on,
    changed_on,
    label,
    ...rest,
  })),
})

/** For events: what a reader of persons sees, without accounts at banks and where somebody signed in from. */
export const personSnapshot = (person: Person) => ({
  ...presentPerson(person),
  reference_id: person.reference_id,
  preposition: person.preposition,
  prefix_last_name: person.prefix_last_name,
  gender: person.gender,
  date_of_birth: person.date_of_birth,
  company: person.company,
  job_title: person.job_title,
  description: person.description,
  biography: person.biography,
  social_media_handle: person.social_media_handle,
  tracking: person.tracking,
  emails: embedded('Email', person.emails),
  phones: embedded('Phone', person.phones),
  addresses: embedded('Address', person.addresses),
  terms: embedded('Term', person.terms),
  accounts: embedded('Account', person.accounts),
  tags: { total: person.tags.length, items: person.tags.map((id) => ({ id, label: 'Tag' })) },
  profile_photo: person.picture_id === null ? null : { id: person.picture_id },
})

/** Of somebody who is erased nothing is told but that there was a person: when it was made would lead to the one that stays. */
export const goneSnapshot = ({ id }: Person) => ({ id, label: 'Person' })
