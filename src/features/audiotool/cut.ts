import { createReadStream, createWriteStream } from 'node:fs'
import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { sql } from 'kysely'
import type { Context } from '../../context.ts'
import { NotFound, Unavailable } from '../../errors.ts'
import { Refused } from '../../media/orders.ts'
import type { Cut, Cutting } from '../../media/tasks/cut.ts'
import { storeIncoming } from '../../storage/incoming.ts'
import { UploadedFile } from '../../storage/uploaded.ts'
import type { Actor } from '../access/authenticate.ts'
import type { ChannelRow } from '../channels/table.ts'
import { filesOfSpan } from './folder.ts'
import { bytesOf } from './pieces.ts'
import type { Span } from './timecodes.ts'

/** Each takes a process and most of a core. */
const mostAtOnce = 2
let underWay = 0

type Piece = { key: string; connection: string; at: number }

/** A span of what a channel has sent, as a file that belongs to nothing yet. Whoever asks for it removes it. */
export const cutSpan = async (
  context: Context,
  actor: Actor,
  channel: ChannelRow,
  span: Span,
  name: string,
): Promise<UploadedFile> => {
  if (underWay >= mostAtOnce) throw new Unavailable('other recordings are being cut', 5)
  underWay += 1
  try {
    await using folder = await mkdtempDisposable(join(tmpdir(), 'marquee-cut-'))
    const order = await orderOf(context, actor, channel, span, folder.path)
    if (order.parts.length === 0) throw new NotFound('Recording', channel.id)
    const cut = await context.media
      .run<Cut>({ task: 'cut', input: '', output: folder.path, options: order })
      .catch((error) => {
        // What cannot be read was not recorded.
        throw error instanceof Refused ? new NotFound('Recording', channel.id) : error
      })
    if (cut.missing !== undefined) throw new NotFound('Recording', channel.id)
    const stored = await storeIncoming(context.storage, createReadStream(join(folder.path, 'cut.flac')))
    return new UploadedFile({ ...stored, original_name: `${name}.flac` })
  } finally {
    underWay -= 1
  }
}

/** What was recorded here comes first; a folder of somebody else's recordings is looked into where there is nothing. */
const orderOf = async (
  context: Context,
  { environment }: Actor,
  channel: ChannelRow,
  span: Span,
  folder: string,
): Promise<Cutting> => {
  const seconds = (+span.end - +span.start) / 1000
  const pieces = await piecesOf(context, channel, span)
  if (pieces.length === 0)
    // Names of files tell whole seconds.
    return {
      seconds,
      parts: await filesOfSpan(context, channel.id, environment.time_zone, span),
      exactness: 1,
    }
  const connections = Map.groupBy(pieces, ({ connection }) => connection)
  const parts: Cutting['parts'] = []
  for (const [connection, own] of connections) {
    const path = join(folder, connection)
    await pipeline(bytesOf(context.storage, own), createWriteStream(path))
    parts.push({ path, at: own[0]!.at })
  }
  return { seconds, parts, exactness: 0 }
}

/** From a second earlier, for the first frames of MP3 need what stands in those before them. */
const piecesOf = async (
  { db }: Context,
  { environment_id, id }: ChannelRow,
  { start, end }: Span,
): Promise<Piece[]> => {
  const { rows } =
    await sql<Piece>`select key, connection, extract(epoch from starts_on - ${start}::timestamptz)::float8 as at
    from recordings where environment_id = ${environment_id} and channel_id = ${id}
      and ends_on > ${start}::timestamptz - interval '1 second' and starts_on < ${end}
    order by starts_on`.execute(db)
  return rows
}
