import { randomUUIDv7 } from 'node:crypto'
import { sql } from 'kysely'
import type { Tx } from '../../../database/connect.ts'
import { json } from '../../../database/json.ts'
import { checkVersion, type Expected } from '../../../database/records.ts'
import { emit, type Performer } from '../../../events.ts'
import { addBuiltInStatuses } from '../../statuses/commands.ts'
import type { Actor } from '../authenticate.ts'
import { requireOrganisation } from '../authority.ts'
import { updateRow } from '../rows.ts'
import type { EnvironmentRow } from '../table.ts'
import { presentEnvironment } from './present.ts'
import { findEnvironment } from './queries.ts'
import { mergeSettings, requireDefaultAmongLocales } from './rules.ts'
import type { EnvironmentBody, EnvironmentChanges, Settings } from './schema.ts'

type NewEnvironment = {
  name: string
  locales?: string[]
  default_locale?: string
  time_zone?: string
  settings?: Settings
}

export const createOrganisation = async (tx: Tx, name: string): Promise<string> => {
  const id = randomUUIDv7()
  await tx.insertInto('organisations').values({ id, name }).execute()
  const by = { organisation_id: id, environment_id: null, token_id: null, user_id: null }
  await emit(tx, by, 'organisation.created', { id }, { id, label: 'Organisation', name })
  return id
}

/**
 * An environment begins with the statuses that the publication workflow rests on. That it was made stands in
 * the log of the organisation, which whoever can make one sees from any of its environments.
 */
export const createEnvironment = async (
  tx: Tx,
  by: Omit<Performer, 'environment_id'>,
  { name, locales, default_locale, time_zone, settings }: NewEnvironment,
): Promise<EnvironmentRow> => {
  const chosen = locales ?? [default_locale ?? 'en-US']
  const row = await tx
    .insertInto('environments')
    .values({
      id: randomUUIDv7(),
      organisation_id: by.organisation_id,
      name,
      locales: sql<string[]>`${chosen}::text[]`,
      default_locale: default_locale ?? chosen[0]!,
      time_zone: time_zone ?? 'UTC',
      ...({ settings: json(mergeSettings({}, settings)) } as object),
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  await addBuiltInStatuses(tx, row.id)
  await emit(tx, { ...by, environment_id: null }, 'environment.created', row, presentEnvironment(row))
  return row
}

export const addEnvironment = async (
  tx: Tx,
  actor: Actor,
  body: EnvironmentBody,
): Promise<EnvironmentRow> => {
  requireOrganisation(actor)
  const locales = body.locales ?? [body.default_locale ?? 'en-US']
  const { default_locale = locales[0]!, time_zone = 'UTC' } = body
  requireDefaultAmongLocales({ locales, default_locale })
  return createEnvironment(tx, actor, { ...body, locales, default_locale, time_zone })
}

export const changeEnvironment = async (
  tx: Tx,
  actor: Actor,
  id: string,
  { locales, settings, ...body }: EnvironmentChanges,
  expected: Expected,
): Promise<EnvironmentRow> => {
  const before = await findEnvironment(tx, actor, id, true)
  checkVersion('Environment', before, expected)
  requireDefaultAmongLocales({ ...before, ...body, locales: locales ?? before.locales })
  const row = await updateRow(tx, 'environments', before, {
    ...body,
    locales: locales && sql`${locales}::text[]`,
    settings: settings && json(mergeSettings(before.settings, settings)),
  })
  const by = { ...actor, environment_id: row.id }
  if (row !== before) await emit(tx, by, 'environment.changed', row, presentEnvironment(row))
  return row
}
