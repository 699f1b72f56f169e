import { randomUUIDv7 } from 'node:crypto'
import { withSession } from '../../src/database/session.ts'
import { sha256 } from '../../src/secrets.ts'
import type { BenchService } from '../service.ts'

export const secret = 'a-session-of-the-benchmark'
/** A word in every second comment, and one in a handful. */
export const [frequent, rare] = ['harbour', 'barnacle']
/** The one that has the replies. */
export const busiestOf = (rows: number): string => `comment-${rows}`

/** So many comments under one publication, each tenth a reply to the one that is read, and as many messages. */
export const fill = async (service: BenchService, publicationId: string, rows: number): Promise<void> => {
  const environment = service.environment.id
  await withSession(service.url, async (sql) => {
    await sql`insert into persons (environment_id, id, first_name, nickname)
      select ${environment}, 'person-' || n, 'First' || n, 'Nick' || n from generate_series(1, 10000) as n`
    await sql`insert into person_sessions (environment_id, id, person_key, hash, expires_on)
      select ${environment}, ${randomUUIDv7()}, min(key), ${sha256(secret)}, now() + interval '1 day' from persons`
    await sql`insert into comments (environment_id, id, publication_id, parent_id, person_key, body, status, moderated,
        created_on)
      select ${environment}, 'comment-' || n, ${publicationId},
        case when n % 10 = 0 and n < ${rows} then ${busiestOf(rows)} end, person.key,
        case when n % 2 = 0 then ${frequent} || ' ' else '' end
          || case when n % 40000 = 7 then ${rare} || ' ' else '' end || 'said number ' || n || ' of the evening',
        case when n % 100 = 3 then 'hidden' when n % 100 = 5 then 'pending' else 'approved' end, n % 50 = 1,
        now() - make_interval(secs => ${rows} - n)
      from (select n from generate_series(${rows}::integer, 1, -1) as n) as numbers
      join persons person on person.environment_id = ${environment} and person.id = 'person-' || (1 + n % 10000)
      order by n desc`
    await sql`insert into messages (environment_id, id, label, person_key, body, nickname, sender, on_screen_on, created_on)
      select ${environment}, 'message-' || n, 'Sms', person.key,
        case when n % 2 = 0 then ${frequent} || ' ' else '' end
          || case when n % 40000 = 7 then ${rare} || ' ' else '' end || 'message number ' || n, null,
        'First' || n % 10000 || ' Nick' || n % 10000, case when n % 1000 = 0 then now() end,
        now() - make_interval(secs => ${rows} - n)
      from generate_series(1, ${rows}::integer) as n
      join persons person on person.environment_id = ${environment} and person.id = 'person-' || (1 + n % 10000)`
    await sql.run('vacuum analyze comments')
    await sql.run('vacuum analyze messages')
    await sql.run('vacuum analyze persons')
  })
}
