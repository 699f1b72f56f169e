import { type RawBuilder, sql } from 'kysely'

/** A jsonb parameter. The driver would guess a type for arrays and booleans; text it passes on as it is. */
export const json = (value: unknown): RawBuilder<never> =>
  value === null || value === undefined
    ? sql<never>`null::jsonb`
    : sql<never>`${JSON.stringify(value)}::text::jsonb`
