import { isoDateOrNull } from '../../dates.ts'
import type { Expansions } from '../../http/expand.ts'
import { presentBase } from '../../http/schemas.ts'
import type { Keys } from '../../secrets.ts'
import { personExpansions, without } from './expansions.ts'
import { namesV5, PersonV5 } from './schema-v5.ts'
import type { Person, PersonRow } from './table.ts'

export const presentPersonV5 = (person: Omit<Person, 'tags'>) => ({
  ...presentBase('Person', person),
  last_seen: isoDateOrNull(person.last_seen),
  preposition: person.preposition,
  initials: person.initials,
  firstname: person.first_name,
  prefix_lastname: person.prefix_last_name,
  lastname: person.last_name,
  nickname: person.nickname,
  tracking: person.tracking,
  custom: person.custom,
})

export const personExpansionsV5 = (keys: Keys): Expansions<PersonRow> =>
  without(
    Object.fromEntries(
      Object.entries(personExpansions(keys)).map(([name, expansion]) => [namesV5[name] ?? name, expansion]),
    ) as Expansions<PersonRow>,
    PersonV5,
  )
