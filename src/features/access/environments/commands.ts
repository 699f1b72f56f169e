import { randomUUIDv7 } from 'node:crypto'
import { sql } from 'kysely'
import type { Tx } from '../../../database/connect.ts'
import { emit, type Performer } from '../../../events.ts'
import { addBuiltInStatuses } from '../../statuses/commands.ts'
import type { EnvironmentRow } from '../table.ts'
import { presentEnvironment } from './present.ts'

export type NewEnvironment = {
  name: string
  locales?: string[]
  default_locale?: string
  time_zone?: string
}

export const createOrganisation = async (tx: Tx, name: string): Promise<string> => {
  const id = randomUUIDv7()
  await tx.insertInto('organisations').values({ id, name }).execute()
  return id
}

/** An environment begins with the statuses that the publication workflow rests on. */
export const createEnvironment = async (
  tx: Tx,
  by: Omit<Performer, 'environment_id'>,
  { name, locales, default_locale, time_zone }: NewEnvironment,
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
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  await addBuiltInStatuses(tx, row.id)
  await emit(tx, { ...by, environment_id: row.id }, 'environment.created', row, presentEnvironment(row))
  return row
}
