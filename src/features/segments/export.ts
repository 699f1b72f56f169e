import { Readable } from 'node:stream'
import { sql } from 'kysely'
import type { Db } from '../../database/connect.ts'
import { selectPerson } from '../persons/queries.ts'
import type { Person } from '../persons/table.ts'
import { type Format, writers } from './present-export.ts'

const pageSize = 500

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
    ${selectPerson} join page on page.person_key = row.key
    where row.environment_id = ${environmentId} order by row.key`.execute(db)
  return rows
}
