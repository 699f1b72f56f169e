import { type RawBuilder, sql } from 'kysely'
import type { Context } from '../../../context.ts'
import type { Db } from '../../../database/connect.ts'
import type { Actor } from '../../access/authenticate.ts'
import { holds } from '../../access/scopes.ts'
import { facet } from '../../publications/facets.ts'
import type { Person } from '../table.ts'
import { isLetterTo } from './letters.ts'

/** Items as they are written, some at a time. */
export type Section = AsyncIterable<object[]>

const pageSize = 1000
const at = (column: string) =>
  sql`to_char(${sql.ref(column)} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"+00:00"')`
const moment = (column: string, name = column) => sql`${at(column)} as ${sql.ref(name)}`

type Read = {
  columns: RawBuilder<unknown>
  from: RawBuilder<unknown>
  /** What tells rows apart and orders them. */
  by: readonly string[]
}

/** Page by page behind the last row of the one before. */
const pages = async function* (db: Db, { columns, from, by }: Read): Section {
  const keys = sql.join(by.map((name) => sql.ref(name)))
  const names = by.map((_, index) => `after_${index}`)
  const places = sql.join(by.map((name, index) => sql`${sql.ref(name)}::text as ${sql.ref(names[index]!)}`))
  let after: (string | null)[] | undefined
  for (;;) {
    const behind = after ? sql`and (${keys}) > (${sql.join(after.map((value) => sql`${value}`))})` : sql``
    const { rows } = await sql<Record<string, string>>`select ${columns}, ${places} from ${from} ${behind}
      order by ${keys} limit ${pageSize}`.execute(db)
    yield rows.map((row) => Object.fromEntries(Object.entries(row).filter(([name]) => !names.includes(name))))
    if (rows.length < pageSize) return
    after = names.map((name) => rows.at(-1)![name]!)
  }
}

/** What stands beside the row, by name. */
export const sectionsOf = (
  { db }: Context,
  { token }: Actor,
  { environment_id, key, id, emails }: Person,
): Record<string, Section> => {
  const own = sql`environment_id = ${environment_id} and person_key = ${key}`
  const toPerson = isLetterTo(
    environment_id,
    emails.map(({ email }) => email),
  )
  const ownMessages = sql`select id from messages where ${own}`
  const referring = facet(environment_id, 'reference', id)
  const read = (columns: RawBuilder<unknown>, from: RawBuilder<unknown>, ...by: string[]) =>
    pages(db, { columns, from, by })
  return {
    tags: read(
      sql`tags.id, tags.body, tags.slug`,
      sql`person_tags link join tags on tags.environment_id = link.environment_id and tags.id = link.tag_id
        where link.environment_id = ${environment_id} and link.person_key = ${key}`,
      'tags.id',
    ),
    sessions: read(
      sql`id, ip_address, user_agent, ${moment('created_on')}, ${moment('expires_on')}`,
      sql`person_sessions where ${own}`,
      'id',
    ),
    tokens: read(
      sql`id, name, hint, scopes, ${moment('created_on')}, ${moment('expires_on')}, ${moment('last_used_on')}`,
      sql`tokens where ${own}`,
      'id',
    ),
    sign_in_requests: read(
      sql`id, redirect_url, ${moment('created_on')}, ${moment('expires_on')}`,
      sql`sign_in_requests where ${own}`,
      'id',
    ),
    links: read(
      sql`kind, publication_id, ${moment('created_on')}`,
      sql`person_links where ${own}`,
      'kind',
      'publication_id',
    ),
    notifications: read(
      sql`publication_id, state, ${moment('created_on')}, ${moment('changed_on')}`,
      sql`notifications where ${own}`,
      'publication_id',
    ),
    segments: read(
      sql`segments.id, segments.body, ${moment('since')}`,
      sql`segment_members member join segments on segments.environment_id = member.environment_id
          and segments.id = member.segment_id
        where member.environment_id = ${environment_id} and member.person_key = ${key}`,
      'segments.id',
    ),
    remarks: read(
      sql`id, body, created_by, ${moment('created_on')}, ${moment('changed_on')}`,
      sql`remarks where ${own}`,
      'id',
    ),
    messages: read(
      sql`id, label, subject, body, nickname, email, phone, channel_id, ${moment('created_on')},
        ${moment('on_screen_on')}`,
      sql`messages where ${own}`,
      'id',
    ),
    message_attachments: read(
      sql`message_id, kind, source_url, asset_id`,
      sql`message_attachments where environment_id = ${environment_id} and message_id in (${ownMessages})`,
      'message_id',
      'kind',
    ),
    message_replies: read(
      sql`id, parent_id as message_id, label, subject, body, delivery, ${moment('created_on')}`,
      sql`messages where environment_id = ${environment_id} and parent_id in (${ownMessages})`,
      'id',
    ),
    comments: read(
      sql`id, publication_id, parent_id, body, status, moderated, ${moment('created_on')}, ${moment('changed_on')}`,
      sql`comments where ${own}`,
      'id',
    ),
    files: read(
      sql`id, label, name, original_name, mime_type, size, sha256, ${moment('created_on')}`,
      sql`assets where ${own}`,
      'id',
    ),
    letters: read(
      sql`id, recipient as to, subject, ${holds(token.scopes, 'tokens') ? sql`text, html` : sql`null as text`},
        ${moment('created_on')}`,
      sql`mailbox where ${toPerson}`,
      'id',
    ),
    publications: read(
      sql`id`,
      sql`publications where environment_id = ${environment_id} and facets @> array[${referring}::bigint]`,
      'id',
    ),
    events: read(
      sql`id, event, ${moment('created_on')}, performed_by, snapshot as payload`,
      sql`events where environment_id = ${environment_id} and record_id = ${id} and label = 'Person'`,
      'sequence',
    ),
    impressions: read(
      sql`recommendation_id, variant, publications, ${moment('created_on')}`,
      sql`recommendation_impressions where ${own}`,
      'created_on',
      'id',
    ),
    interactions: read(
      sql`id, label, publication_id, value, recommendation_id, ${moment('created_on')}`,
      sql`interactions where ${own}`,
      'created_on',
      'id',
    ),
  }
}
