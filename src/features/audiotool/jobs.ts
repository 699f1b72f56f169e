import { sql } from 'kysely'
import type { Context } from '../../context.ts'

/** Unless the environment says otherwise. */
const keptDays = 31
const batch = 500
/** A file without a row may be one that is being written. */
const dayInMilliseconds = 86_400_000

/** Recordings go when they are as old as the environment keeps them; so do files that belong to none. */
export const pruneRecordings = async (context: Context): Promise<void> => {
  while ((await removeOld(context)) === batch);
  await removeLeft(context)
}

/** The files go first: a row that is left is tried again, a file would not be. */
const removeOld = async ({ db, storage }: Context): Promise<number> => {
  const { rows } = await sql<{
    key: string
    environment_id: string
    channel_id: string
  }>`select key, environment_id,
      channel_id
    from recordings join environments on environments.id = environment_id
    where ends_on < now() - make_interval(days => coalesce((settings ->> 'recordings_kept')::integer, ${keptDays}))
    order by ends_on limit ${batch}`.execute(db)
  for (const { key } of rows) await storage.remove(key)
  await sql`delete from recordings where key = any(${rows.map(({ key }) => key)})`.execute(db)
  return rows.length
}

/** Left by a crash, or by a channel that was deleted. */
const removeLeft = async ({ db, storage }: Context): Promise<void> => {
  for await (const { key } of storage.list('recordings/')) {
    const began = Number.parseInt(key.split('/').at(-1)!, 10)
    if (Date.now() - began < dayInMilliseconds) continue
    const { rows } = await sql`select 1 from recordings where key = ${key} limit 1`.execute(db)
    if (rows.length === 0) await storage.remove(key)
  }
}
