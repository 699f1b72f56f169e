import { type RawBuilder, sql } from 'kysely'
import type { Context } from '../../context.ts'
import { keepLooking, type Looking } from '../../jobs/looking.ts'
import type { ChannelRow } from '../channels/table.ts'
import { joinHours } from './pieces.ts'
import { type Pace, recordStream, streamOf, usualPace } from './record.ts'

const lookEvery = 5000
/** Seconds that a node need not be doubted for; another takes over when it does not say that it goes on. */
const trusted = 20
/** Streams in one process; the next node takes the others. */
const mostStreams = 50

type Claimed = ChannelRow & { recorder_until: Date }
type Held = { channel: Claimed; ending: AbortController; running: Promise<void> }

/** Records the channels that want it, each on one node, until stopped. */
export const startRecorder = (
  context: Context,
  onError: (error: unknown) => void,
  { every = lookEvery, pace = usualPace }: { every?: number; pace?: Pace } = {},
): Looking => {
  const held = new Map<string, Held>()
  let hour = currentHour()

  const begin = (channel: Claimed): Held => {
    const ending = new AbortController()
    return { channel, ending, running: keepRecording(context, channel, pace, ending.signal) }
  }
  const end = async (key: string): Promise<void> => {
    const { ending, running } = held.get(key)!
    held.delete(key)
    ending.abort(new Error('recording is over'))
    await running
  }
  /** Goes on with what is ours and still wanted; the rest is let go of. */
  const renew = async (): Promise<void> => {
    for (const [key, recording] of held) {
      const [channel] = await claim(context, isOurs(recording.channel))
      if (channel && streamOf(channel) === streamOf(recording.channel)) recording.channel = channel
      else await end(key)
    }
  }
  const look = async (): Promise<number> => {
    await renew()
    const free = sql`(row.recorder_until is null or row.recorder_until < now())`
    const found = held.size < mostStreams ? await claim(context, free) : []
    for (const channel of found) held.set(`${channel.environment_id} ${channel.id}`, begin(channel))
    if (hour !== currentHour()) {
      hour = currentHour()
      for (const { channel } of held.values()) await joinHours(context, channel).catch(onError)
    }
    return every
  }
  const looking = keepLooking(look, onError)
  return {
    async stop(): Promise<void> {
      await looking.stop()
      for (const [key, { channel }] of held) {
        await end(key)
        await release(context, channel).catch(onError)
      }
    },
  }
}

const currentHour = (): number => Math.floor(Date.now() / 3_600_000)

const isOurs = ({ environment_id, id, recorder_until }: Claimed) =>
  sql`row.environment_id = ${environment_id} and row.id = ${id} and row.recorder_until = ${recorder_until}`

/** Takes a few at a time, so that nodes share what there is. */
const claim = async ({ db }: Context, which: RawBuilder<unknown>): Promise<Claimed[]> => {
  const { rows } = await sql<Claimed>`update channels as row
    set recorder_until = now() + make_interval(secs => ${trusted})
    where (environment_id, id) in (select environment_id, id from channels as row
      where record and ${which} and exists (select 1 from jsonb_array_elements(streams) stream
        where coalesce(stream ->> 'url_ssl', '') <> '' or coalesce(stream ->> 'url', '') <> '')
      limit 5 for update skip locked)
    returning *`.execute(db)
  return rows
}

const release = ({ db }: Context, channel: Claimed) =>
  sql`update channels as row set recorder_until = null where ${isOurs(channel)}`.execute(db)

/** A stream that breaks off is connected anew, soon at first and then less often. */
const keepRecording = async (
  context: Context,
  channel: ChannelRow,
  pace: Pace,
  signal: AbortSignal,
): Promise<void> => {
  for (let pause = 500; !signal.aborted; pause = Math.min(30_000, pause * 2)) {
    const from = performance.now()
    await recordStream(context, channel, pace, signal).catch((error) => {
      if (!signal.aborted)
        context.log.warn({ err: error, channel: channel.id }, 'a stream cannot be recorded')
    })
    if (performance.now() - from > 60_000) pause = 500
    await pauseFor(pause, signal)
  }
}

const pauseFor = (milliseconds: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, milliseconds)
    signal.addEventListener('abort', done, { once: true })
    if (signal.aborted) done()
  })
