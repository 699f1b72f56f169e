import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Tx } from '../../src/database/connect.ts'
import { transaction } from '../../src/database/transaction.ts'
import type { Actor } from '../../src/features/access/authenticate.ts'
import type { EnvironmentRow } from '../../src/features/access/table.ts'
import type { AssetRow } from '../../src/features/assets/table.ts'
import { createChannel } from '../../src/features/channels/commands.ts'
import type { ChannelBody } from '../../src/features/channels/schema.ts'
import { createConfiguration } from '../../src/features/configurations/commands.ts'
import type { ConfigurationBody } from '../../src/features/configurations/schema.ts'
import { createContainer } from '../../src/features/containers/commands.ts'
import type { ContainerBody } from '../../src/features/containers/schema.ts'
import { type InteractionLabel, labelNumber } from '../../src/features/interactions/labels.ts'
import { createModel } from '../../src/features/models/commands.ts'
import type { ModelBody } from '../../src/features/models/schema.ts'
import { indexManyWords } from '../../src/features/persons/list/words.ts'
import type { PersonRow } from '../../src/features/persons/table.ts'
import { createStatus } from '../../src/features/statuses/commands.ts'
import type { StatusBody } from '../../src/features/statuses/schema.ts'
import { createTag } from '../../src/features/tags/commands.ts'
import type { TagBody } from '../../src/features/tags/schema.ts'
import type { TestApp } from './app.ts'

/** What any record can be given besides its own fields. Names are made up where none is given. */
type Where = { environment?: EnvironmentRow; created_on?: Date; changed_on?: Date | null }

/** The service itself as the writer, in the app's environment unless told otherwise. */
export const actorIn = (app: TestApp, environment: EnvironmentRow = app.environment): Actor => ({
  organisation_id: environment.organisation_id,
  environment_id: environment.id,
  token_id: null,
  user_id: null,
  person_key: null,
  environment,
  token: undefined as never,
})

/** A record made by its feature's own command, with dates of the test's choice. */
const adder =
  <Body, Row extends { id: string }>(
    table: string,
    create: (tx: Tx, actor: Actor, body: Body) => Promise<Row>,
    defaults: () => Body,
  ) =>
  (app: TestApp, given: Partial<Body> & Where = {}): Promise<Row> => {
    const { environment, created_on, changed_on, ...body } = given
    const actor = actorIn(app, environment)
    return transaction(app.context, async (tx) => {
      const row = await create(tx, actor, { ...defaults(), ...body } as Body)
      const dates = Object.entries({ created_on, changed_on }).filter(([, date]) => date !== undefined)
      if (dates.length === 0) return row
      const set = dates.map(([name, date]) => sql`${sql.ref(name)} = ${date}`)
      const { rows } = await sql<Row>`update ${sql.table(table)} set ${sql.join(set)}
        where environment_id = ${actor.environment_id} and id = ${row.id} returning *`.execute(tx)
      return rows[0]!
    })
  }

const named = (kind: string): string => `${kind} ${randomUUID()}`

export const addChannel = adder<ChannelBody, Awaited<ReturnType<typeof createChannel>>>(
  'channels',
  createChannel,
  () => ({ name: named('Channel') }),
)
export const addContainer = adder<ContainerBody, Awaited<ReturnType<typeof createContainer>>>(
  'containers',
  createContainer,
  () => ({ body: named('Container') }),
)
export const addTag = adder<TagBody, Awaited<ReturnType<typeof createTag>>>('tags', createTag, () => ({
  body: named('Tag'),
}))
export const addStatus = adder<StatusBody, Awaited<ReturnType<typeof createStatus>>>(
  'statuses',
  createStatus,
  () => ({ body: named('Status') }),
)
export const addConfiguration = adder<ConfigurationBody, Awaited<ReturnType<typeof createConfiguration>>>(
  'configurations',
  createConfiguration,
  () => ({ body: named('Configuration') }),
)

export const addModel = adder<ModelBody, Awaited<ReturnType<typeof createModel>>>(
  'publication_models',
  createModel,
  () => ({ body: named('Model') }),
)

/** Straight into the table: the minimal one that later parts build on. */
export const addPerson = async (
  app: TestApp,
  {
    environment = app.environment,
    tags = [],
    ...given
  }: Partial<PersonRow> & Where & { tags?: string[] } = {},
): Promise<PersonRow> => {
  const { key: _key, environment_id: _environment, ...values } = given
  const person = await app.context.db
    .insertInto('persons')
    .values({ id: randomUUID(), ...values, environment_id: environment.id } as never)
    .returningAll()
    .executeTakeFirstOrThrow()
  const links = tags.map((tag_id) => ({ environment_id: environment.id, person_key: person.key, tag_id }))
  if (links.length > 0) await app.context.db.insertInto('person_tags').values(links).execute()
  await transaction(app.context, (tx) =>
    indexManyWords(tx, environment.id, [{ key: person.key, row: person }]),
  )
  app.context.versions.bump(environment.id, 'audience')
  return person
}

export const addAsset = async (
  app: TestApp,
  { environment = app.environment, ...given }: Partial<AssetRow> & Where = {},
): Promise<AssetRow> => {
  const row = await app.context.db
    .insertInto('assets')
    .values({
      id: randomUUID(),
      label: 'Photo',
      name: named('Asset'),
      ...given,
      environment_id: environment.id,
    } as never)
    .returningAll()
    .executeTakeFirstOrThrow()
  app.context.versions.bump(environment.id, 'content')
  return row
}

type NewInteraction = Where & {
  person: PersonRow
  publication_id?: string
  label?: string
  value?: number | null
}

/** Stored and counted as if it had been posted a while ago. */
export const addInteraction = async (
  app: TestApp,
  { environment = app.environment, person, changed_on: _changed, ...given }: NewInteraction,
) => {
  const row = {
    id: randomUUID(),
    created_on: new Date(),
    publication_id: randomUUID(),
    label: 'View',
    value: null,
    ...given,
    environment_id: environment.id,
    person_key: person.key,
  }
  const { context } = app
  const number = labelNumber(row.label as InteractionLabel)
  await sql`with stored as (
      insert into publication_counters as known (environment_id, publication_id, label, count)
      values (${row.environment_id}, ${row.publication_id}, ${row.label}, 1)
      on conflict (environment_id, publication_id, label) do update set count = known.count + 1
    ) update person_facts set labels = labels | (1 << ${number}::int), last_seen = greatest(last_seen, ${row.created_on})
    where environment_id = ${row.environment_id} and person_key = ${row.person_key}`.execute(context.db)
  return context.db.insertInto('interactions').values(row).returningAll().executeTakeFirstOrThrow()
}
