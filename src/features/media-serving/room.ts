import { sql } from 'kysely'
import type { Context } from '../../context.ts'

/** Of one environment; some 20,000 pictures. What was not asked for the longest makes room for what is new. */
const maxBytes = 1_000_000_000
/** Removed at once, so that it need not be done for every picture. */
const batch = 100

/** Written before the bytes are: what a crash leaves is then a row without a file, and never a file nobody knows of. */
export const reserve = async (
  context: Context,
  environment: string,
  key: string,
  size: number,
  most = maxBytes,
): Promise<void> => {
  await context.db
    .insertInto('media_cache')
    .values({ environment_id: environment, key, size })
    .onConflict((oc) => oc.columns(['environment_id', 'key']).doUpdateSet({ size, used_on: sql`now()` }))
    .execute()
  while ((await total(context, environment)) > most)
    if (!(await removeOldest(context, environment, key))) return
}

const total = async ({ db }: Context, environment: string): Promise<number> => {
  const { rows } = await sql<{ total: string }>`select coalesce(sum(size), 0) as total from media_cache
    where environment_id = ${environment}`.execute(db)
  return Number(rows[0]!.total)
}

/** The files go first, for a row that is left over harms nobody. */
const removeOldest = async (
  { db, storage }: Context,
  environment: string,
  except: string,
): Promise<boolean> => {
  const oldest = await db
    .selectFrom('media_cache')
    .select('key')
    .where('environment_id', '=', environment)
    .where('key', '!=', except)
    .orderBy('used_on')
    .limit(batch)
    .execute()
  const keys = oldest.map(({ key }) => key)
  for (const key of keys) await storage.remove(key)
  await sql`delete from media_cache where environment_id = ${environment} and key = any(${keys})`.execute(db)
  return keys.length > 0
}

/** Nobody waits for it; at worst something is removed that was wanted. */
export const noteUse = ({ db, log }: Context, environment: string, key: string): void => {
  sql`update media_cache set used_on = now() where environment_id = ${environment} and key = ${key}`
    .execute(db)
    .catch((error) => log.warn({ err: error }, 'the use of a picture could not be noted'))
}
