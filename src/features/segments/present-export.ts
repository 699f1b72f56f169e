import { isoDateOrNull } from '../../dates.ts'
import { personSnapshot } from '../persons/present.ts'
import type { Person } from '../persons/table.ts'
import { csvLine } from './csv.ts'

export const formats = ['csv', 'ndjson'] as const
export type Format = (typeof formats)[number]

export const contentTypes: Record<Format, string> = {
  csv: 'text/csv; charset=utf-8',
  ndjson: 'application/x-ndjson; charset=utf-8',
}

/** Columns as a mailing list or a spreadsheet wants them; of several values the first. */
const columns: Record<string, (person: Person) => string | null> = {
  id: ({ id }) => id,
  reference_id: (person) => person.reference_id,
  initials: ({ initials }) => initials,
  first_name: (person) => person.first_name,
  preposition: ({ preposition }) => preposition,
  prefix_last_name: (person) => person.prefix_last_name,
  last_name: (person) => person.last_name,
  nickname: ({ nickname }) => nickname,
  email: ({ emails }) => emails[0]?.email ?? null,
  phone: ({ phones }) => phones[0]?.phone ?? null,
  gender: ({ gender }) => gender,
  date_of_birth: (person) => person.date_of_birth,
  street: ({ addresses }) => addresses[0]?.street ?? null,
  number: ({ addresses }) => addresses[0]?.number ?? null,
  postal_code: ({ addresses }) => addresses[0]?.postal_code ?? null,
  city: ({ addresses }) => addresses[0]?.city ?? null,
  country: ({ addresses }) => addresses[0]?.country ?? null,
  company: ({ company }) => company,
  job_title: (person) => person.job_title,
  exclude_until: (person) => isoDateOrNull(person.exclude_until),
  created_on: (person) => isoDateOrNull(person.created_on),
  last_seen: (person) => isoDateOrNull(person.last_seen),
}

/** What stands before all members, and how one is written. */
export const writers: Record<Format, { head: string; line(person: Person): string }> = {
  csv: {
    head: csvLine(Object.keys(columns)),
    line: (person) => csvLine(Object.values(columns).map((read) => read(person))),
  },
  ndjson: { head: '', line: (person) => `${JSON.stringify(personSnapshot(person))}\n` },
}
