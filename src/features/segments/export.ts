import { Readable } from 'node:stream'
import { sql } from 'kysely'
import type { Db } from '../../database/connect.ts'
import { isoDateOrNull } from '../../http/schemas.ts'
import { personSnapshot } from '../persons/present.ts'
import type { Person } from '../persons/table.ts'
import { csvLine } from './csv.ts'

const pageSize = 500

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
  first_name: (person) => person.first_name,
  preposition: (person) => person.preposition,
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

const writers: Record<Format, { head: string; line(person: Person): string }> = {
  csv: {
    head: csvLine(Object.keys(columns)),
    line: (person) => csvLine(Object.values(columns).map((read) => read(person))),
  },
  ndjson: { head: '', line: (person) => `${JSON.stringify(personSnapshot(person))}\n` },
}

/** The members in the order in which they were made, a page in memory at a time, read as fast as it is taken. */
export const exportMembers = (db: Db, environmentId: string, segmentId: string, format: Format): Readable => {
  const { head, line } = writers[format]
  const write = async function* () {
    if (head !== '') yield head
    let after = '0'
    for (;;) {
      const persons = await membersAfter(db, environmentId, segmentId, after)
      if (persons.length > 0) yield persons.map(line).join('')
      if (persons.length < pageSize) return
      after = persons.at(-1)!.key
    }
  }
  return Readable.from(write())
}

const membersAfter = async (
  db: Db,
  environmentId: string,
  segmentId: string,
  after: string,
): Promise<Person[]> => {
  const { rows } = await sql<Person>`
    with page as materialized (select person_key from segment_members
      where environment_id = ${environmentId} and segment_id = ${segmentId} and person_key > ${after}::bigint
      order by person_key limit ${pageSize})
    select row.*, facts.last_seen, array(select tag_id from person_tags tag
      where tag.environment_id = row.environment_id and tag.person_key = row.key order by tag_id) as tags
    from page join persons row on row.environment_id = ${environmentId} and row.key = page.person_key
    join person_facts facts on facts.environment_id = ${environmentId} and facts.person_key = page.person_key
    order by row.key`.execute(db)
  return rows
}
