import { sql } from 'kysely'
import { type TSchema, Type } from 'typebox'
import { isoDateOrNull } from '../../dates.ts'
import { column, type Expansion, type Expansions } from '../../http/expand.ts'
import { Nullable, NullableDateTime, presentBase } from '../../http/schemas.ts'
import type { Keys } from '../../secrets.ts'
import { commonExpansions } from '../access/expansions.ts'
import { presentSession } from '../access/sessions/present.ts'
import { isThere } from '../assets/queries.ts'
import type { AssetRow } from '../assets/table.ts'
import { presentTag } from '../tags/present.ts'
import type { TagRow } from '../tags/table.ts'
import { ageOn, todayIn } from './age.ts'
import { maskIban, openBankAccounts } from './bank-accounts.ts'
import { embedded } from './present.ts'
import { sharedFields } from './schema.ts'
import { embeddedLists, Picture } from './schema-lists.ts'
import { sessionsOfPersons } from './sessions.ts'
import type { PersonRow } from './table.ts'

type Row = PersonRow

const text = (name: keyof Row & string): Expansion<Row> => column(name, Nullable('string'))

const list = (schema: TSchema, shown: (row: Row) => object): Expansion<Row> => ({
  schema,
  inner: ['total', 'items'],
  load: async () => shown,
})

/** Everything that a read of a person can show; each generation leaves out what its base body has. */
export const personExpansions = (keys: Keys) =>
  ({
    ...commonExpansions,
    ...Object.fromEntries(
      (
        [
          'reference_id',
          'initials',
          'first_name',
          'preposition',
          'prefix_last_name',
          'last_name',
          'nickname',
          'gender',
          'date_of_birth',
          'company',
          'job_title',
          'description',
          'biography',
          'social_media_handle',
          'source',
        ] as const
      ).map((name) => [name, text(name)]),
    ),
    tracking: column('tracking', sharedFields.tracking),
    two_factor: {
      schema: Type.Boolean({ description: 'Whether a code is asked at sign-in' }),
      load: async () => (row) => row.totp_confirmed,
    },
    exclude_until: {
      schema: NullableDateTime(),
      load: async () => (row) => isoDateOrNull(row.exclude_until),
    },
    age: {
      schema: Nullable('integer'),
      load: async (_db, { environment }) => {
        const today = todayIn(environment.time_zone)
        return (row) => ageOn(row.date_of_birth, today)
      },
    },
    emails: list(embeddedLists.emails, (row) => embedded('Email', row.emails)),
    phones: list(embeddedLists.phones, (row) => embedded('Phone', row.phones)),
    addresses: list(embeddedLists.addresses, (row) => embedded('Address', row.addresses)),
    terms: list(embeddedLists.terms, (row) => embedded('Term', row.terms)),
    accounts: list(embeddedLists.accounts, (row) => embedded('Account', row.accounts)),
    logged_in_from: list(embeddedLists.logged_in_from, (row) => embedded('SignIn', row.logged_in_from)),
    bank_accounts: list(embeddedLists.bank_accounts, (row) => {
      const accounts = openBankAccounts(keys, row)
      return embedded(
        'BankAccount',
        accounts.map((account) => ({ ...account, iban: maskIban(account.iban) })),
      )
    }),
    sessions,
    tags,
    profile_photo,
  }) satisfies Expansions<Row>

const sessions: Expansion<Row> = {
  schema: embeddedLists.sessions,
  inner: ['total', 'items'],
  load: async (db, { environment_id }, rows) => {
    const found = await sessionsOfPersons(
      db,
      environment_id,
      rows.map(({ key }) => key),
    )
    return ({ key }) => {
      const items = found.get(key) ?? []
      return { total: items[0]?.total ?? 0, items: items.map(presentSession) }
    }
  },
}

const tags: Expansion<Row> = {
  schema: embeddedLists.tags,
  inner: ['total', 'items'],
  load: async (db, { environment_id }, rows) => {
    const found = await sql<TagRow & { person_key: string }>`select tags.*, person_key
      from person_tags link join tags on tags.environment_id = link.environment_id and tags.id = link.tag_id
      where link.environment_id = ${environment_id} and person_key = any(${rows.map(({ key }) => key)}::bigint[])
      order by lower(tags.body), tags.id`.execute(db)
    const byPerson = Map.groupBy(found.rows, ({ person_key }) => person_key)
    return ({ key }) => {
      const items = byPerson.get(key) ?? []
      return { total: items.length, items: items.map(presentTag) }
    }
  },
}

/** Null where the asset is gone. */
const profile_photo: Expansion<Row> = {
  schema: Picture,
  inner: ['id', 'created_on', 'changed_on', 'label', 'name', 'body', 'author', 'reference_id'],
  load: async (db, { environment_id }, rows) => {
    const ids = rows.flatMap(({ picture_id }) => picture_id ?? [])
    const { rows: found } = await sql<AssetRow>`select * from assets
      where environment_id = ${environment_id} and id = any(${ids}) and ${isThere}`.execute(db)
    const byId = new Map(found.map((row) => [row.id, presentPicture(row)]))
    return ({ picture_id }) => byId.get(picture_id ?? '') ?? null
  },
}

const presentPicture = (row: AssetRow) => ({
  ...presentBase(row.label, row),
  name: row.name,
  body: row.body,
  author: row.author,
  reference_id: row.reference_id,
})

export const without = <T>(expansions: Record<string, T>, base: { properties: object }): Record<string, T> =>
  Object.fromEntries(Object.entries(expansions).filter(([name]) => !Object.hasOwn(base.properties, name)))
