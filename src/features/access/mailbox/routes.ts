import { type Selectable, sql } from 'kysely'
import { Type } from 'typebox'
import { dates } from '../../../database/common-filters.ts'
import type { MailboxTable } from '../../../database/schema.ts'
import { NotFound } from '../../../errors.ts'
import { recordRoutes } from '../../../http/records.ts'
import { base, Nullable, presentBase } from '../../../http/schemas.ts'
import type { ListOptions, Routes } from '../../../http/types.ts'
import type { Actor } from '../authenticate.ts'
import { managesOrganisation } from '../authority.ts'

type LetterRow = Selectable<MailboxTable> & { version: number }

const letterList = {
  table: 'mailbox',
  family: 'messages',
  scope: 'organisation_id',
  filters: {
    id: dates.id,
    created_on: dates.created_on,
    to: { type: 'text', column: 'recipient', operators: ['eq', 'in', 'sw', 'fz'] },
    subject: { type: 'text', operators: ['eq', 'sw', 'fz'] },
  },
  sorts: { created_on: { type: 'date' } },
  defaultSort: '-created_on',
} satisfies ListOptions

const Letter = Type.Object(
  {
    ...base('Letter'),
    to: Type.String(),
    subject: Type.String(),
    text: Type.String(),
    html: Nullable('string'),
  },
  { title: 'Letter' },
)

const presentLetter = (row: LetterRow) => ({
  ...presentBase('Letter', { ...row, changed_on: null }),
  to: row.recipient,
  subject: row.subject,
  text: row.text,
  html: row.html,
})

/** Letters above the environments hold links that make users, so they are for those who may make users. */
const managesUsers = (actor: Actor): boolean =>
  managesOrganisation(actor) && actor.token.scopes.has('users_publish')

const isVisible = (actor: Actor, { environment_id }: LetterRow | Selectable<MailboxTable>): boolean =>
  environment_id === null ? managesUsers(actor) : environment_id === actor.environment_id

const visibleLetters = (actor: Actor) => [
  managesUsers(actor)
    ? sql`(row.environment_id is null or row.environment_id = ${actor.environment_id})`
    : sql`row.environment_id = ${actor.environment_id}`,
]

/** Letters that were kept because no mail server is configured. They come without an event, so each count is new. */
export const mailboxRoutes: Routes = (app, context) =>
  recordRoutes(
    app,
    { ...context, totals: { ...context.totals, of: async ({ count }) => (await count()).count } },
    {
      path: '/mailbox',
      label: 'Letter',
      record: Letter,
      list: letterList,
      scope: (actor) => actor.organisation_id,
      present: presentLetter,
      only: visibleLetters,
      read: ['tokens'],
      find: async (db, actor, id): Promise<LetterRow> => {
        const row = await db
          .selectFrom('mailbox')
          .selectAll()
          .where('organisation_id', '=', actor.organisation_id)
          .where('id', '=', id)
          .executeTakeFirst()
        if (!row || !isVisible(actor, row)) throw new NotFound('Letter', id)
        return { ...row, version: 1 }
      },
    },
  )
