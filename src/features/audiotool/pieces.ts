import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { sql } from 'kysely'
import type { Context } from '../../context.ts'
import type { RecordingTable } from './table.ts'

type Sound = Pick<
  RecordingTable,
  'environment_id' | 'channel_id' | 'mime_type' | 'connection' | 'rate' | 'samples'
>

type Whose = Pick<Sound, 'environment_id' | 'channel_id' | 'mime_type'>
const keyOf = ({ environment_id, channel_id, mime_type }: Whose, starts: number): string => {
  const extension = mime_type === 'audio/mpeg' ? 'mp3' : 'aac'
  return `recordings/${environment_id}/${channel_id}/${Math.floor(starts)}-${randomUUID()}.${extension}`
}

/** A stretch of sound that begins at `starts`, in milliseconds with fractions. */
export const storePiece = async (
  { db, storage }: Context,
  sound: Sound,
  starts: number,
  bytes: Buffer,
): Promise<void> => {
  const key = keyOf(sound, starts)
  await storage.put(key, bytes, { mimeType: sound.mime_type })
  const ends = starts + (sound.samples / sound.rate) * 1000
  await sql`insert into recordings (environment_id, channel_id, starts_on, rate, samples, ends_on, key, size, mime_type,
      connection)
    values (${sound.environment_id}, ${sound.channel_id}, ${moment(starts)}, ${sound.rate}, ${sound.samples},
      ${moment(ends)}, ${key}, ${bytes.length}, ${sound.mime_type}, ${sound.connection})`.execute(db)
}

/** To the microsecond, which a Date cannot hold. */
const moment = (milliseconds: number) => sql`to_timestamp(${(milliseconds / 1000).toFixed(6)}::numeric)`

/** The pieces of every hour that is over become one file. What was stopped in between is done the next time. */
export const joinHours = async (
  context: Context,
  { environment_id, id }: { environment_id: string; id: string },
): Promise<void> => {
  const { rows } = await sql<RecordingTable & { hour: Date }>`select *, date_trunc('hour', starts_on) as hour
    from recordings where environment_id = ${environment_id} and channel_id = ${id}
      and starts_on < date_trunc('hour', now()) and starts_on > now() - interval '3 days'
    order by starts_on`.execute(context.db)
  const hours = Map.groupBy(rows, ({ hour, connection }) => `${hour.getTime()} ${connection}`)
  for (const pieces of hours.values()) if (pieces.length > 1) await join(context, pieces)
}

const join = async ({ db, storage }: Context, pieces: RecordingTable[]): Promise<void> => {
  const [{ environment_id, channel_id, mime_type, starts_on }] = pieces as [RecordingTable]
  const key = keyOf({ environment_id, channel_id, mime_type }, starts_on.getTime())
  const { size } = await storage.put(key, bytesOf(storage, pieces), { mimeType: mime_type })
  const keys = pieces.map((piece) => piece.key)
  await db.transaction().execute(async (tx) => {
    const { numAffectedRows } = await sql`with joined as (delete from recordings
        where environment_id = ${environment_id} and channel_id = ${channel_id} and key = any(${keys}) returning *)
      insert into recordings (environment_id, channel_id, starts_on, rate, samples, ends_on, key, size, mime_type,
        connection)
      select environment_id, channel_id, min(starts_on), rate, sum(samples),
        min(starts_on) + make_interval(secs => sum(samples)::float8 / rate), ${key}, ${size}::integer, mime_type, connection
      from joined group by environment_id, channel_id, rate, mime_type, connection
      having count(*) = ${keys.length}`.execute(tx)
    if (numAffectedRows !== 1n) throw new Error('another node has joined these pieces')
  })
  for (const piece of keys) await storage.remove(piece)
}

/** Frames follow frames, so files of one connection are joined by writing them one behind the other. */
export const bytesOf = (storage: Context['storage'], pieces: { key: string }[]): Readable =>
  Readable.from(
    (async function* () {
      for (const { key } of pieces) yield* storage.read(key)
    })(),
    { objectMode: false },
  )
