import { randomUUID } from 'node:crypto'
import type { Context } from '../../context.ts'
import type { ChannelRow } from '../channels/table.ts'
import { type Frame, isRecordable, readFrames, typeOf } from './frames.ts'
import { storePiece } from './pieces.ts'

export type Pace = {
  /** A piece is stored when it is so long: what a crash loses, and how soon it can be cut. */
  pieceSeconds: number
  /** Servers begin with what they have at hand; milliseconds until that is over and the clock can be told from the rest. */
  settling: number
  /** Milliseconds without a byte until the stream is connected anew. */
  patience: number
}
export const usualPace: Pace = { pieceSeconds: 10, settling: 2000, patience: 20_000 }

/** A connection as long as it lasts; some 23 days are the most that a timer can count. */
const longest = 2_000_000_000
/** Clocks of stations and ours differ; when they are so far apart, in milliseconds, it is told anew what time it is. */
const mostDrift = 2000

type Whose = Pick<ChannelRow, 'environment_id' | 'id' | 'streams'>

/** Where a channel is heard; TLS first. */
export const streamOf = ({ streams }: Pick<ChannelRow, 'streams'>): string | undefined =>
  streams.map(({ url, url_ssl }) => url_ssl || url).find(Boolean) || undefined

/** Records one connection until it ends or is stopped. */
export const recordStream = async (
  context: Context,
  channel: Whose,
  pace: Pace,
  signal: AbortSignal,
): Promise<void> => {
  const ending = new AbortController()
  const stop = () => ending.abort(signal.reason)
  signal.addEventListener('abort', stop, { once: true })
  const stall = setTimeout(() => ending.abort(new Error('the stream stood still')), pace.patience)
  try {
    const answer = await context.outgoing.request(streamOf(channel)!, {
      redirects: 'follow',
      maxBytes: Number.MAX_SAFE_INTEGER,
      timeout: longest,
      headers: { 'accept-encoding': 'identity' },
      signal: ending.signal,
    })
    const type = String(answer.headers['content-type'] ?? '')
      .split(';', 1)[0]!
      .trim()
      .toLowerCase()
    if (answer.status !== 200 || !isRecordable(type)) {
      answer.discard()
      throw new Error(
        `the stream answered ${answer.status} ${type.slice(0, 50)}; MP3 and AAC can be recorded`,
      )
    }
    const recording = openRecording(context, channel, type, pace)
    const frames = readFrames(type)
    try {
      for await (const chunk of answer.stream()) {
        stall.refresh()
        await recording.add(frames(chunk))
      }
    } finally {
      await recording.end()
    }
  } finally {
    clearTimeout(stall)
    signal.removeEventListener('abort', stop)
  }
}

/** Sound without gaps. When it began follows from what has come so far and what time it is. */
const openRecording = (context: Context, { environment_id, id }: Whose, type: string, pace: Pace) => {
  const openedAt = Date.now()
  let heardAt = openedAt
  let connection = randomUUID()
  let began: number | undefined
  let stored = 0
  let rate = 0
  let piece: Frame[] = []
  let samples = 0

  /** As if it had just begun: a new stretch, which need not follow the one before to the sample. */
  const anew = (): void => {
    connection = randomUUID()
    began = undefined
    stored = 0
  }
  const flush = async (): Promise<void> => {
    const beginning = heardAt - ((stored + samples) / rate) * 1000
    if (began !== undefined && Math.abs(beginning - began) > mostDrift) anew()
    began ??= heardAt - (samples / rate) * 1000
    const sound = { environment_id, channel_id: id, mime_type: typeOf(type), connection, rate, samples }
    await storePiece(
      context,
      sound,
      began + (stored / rate) * 1000,
      Buffer.concat(piece.map(({ bytes }) => bytes)),
    )
    stored += samples
    samples = 0
    piece = []
  }
  const isSettled = (): boolean => heardAt - openedAt >= pace.settling
  return {
    async add(frames: Frame[]): Promise<void> {
      heardAt = Date.now()
      for (const frame of frames) {
        if (rate !== frame.rate && rate !== 0) {
          if (samples > 0) await flush()
          anew()
        }
        rate = frame.rate
        piece.push(frame)
        samples += frame.samples
      }
      if (samples >= pace.pieceSeconds * rate && isSettled()) await flush()
    },
    /** What has come since the last piece. */
    async end(): Promise<void> {
      if (samples > 0 && isSettled()) await flush()
    },
  }
}
