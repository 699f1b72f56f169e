import { PassThrough } from 'node:stream'
import { sql } from 'kysely'
import type { Context } from '../../../context.ts'
import { Failure } from '../../../errors.ts'
import { storeIncoming } from '../../../storage/incoming.ts'
import { plainName, UploadedFile } from '../../../storage/uploaded.ts'
import { fetchFile } from '../../assets/intake.ts'
import { typeFaults } from '../../assets/types.ts'
import { inFolder } from '../connect/ftp.ts'
import { PollFailure } from '../connect/polling.ts'
import type { SourceItemRecord, SourceRow } from '../table.ts'

const max = 50_000_000
const timeout = 20_000

/** The picture of an item; undefined where it has none, or none that can be had: the draft is what matters. */
export const fetchPicture = async (
  context: Context,
  item: SourceItemRecord,
): Promise<UploadedFile | undefined> => {
  if (item.image_url === null) return undefined
  try {
    const file = /^ftps?:/.test(item.image_url)
      ? await fromFolder(context, item, item.image_url)
      : await fetchFile(context, item.image_url, { path: 'image_url', max, timeout })
    if (typeFaults('Photo', file, 'image_url').length === 0) return file
    await context.storage.remove(file.key)
    return undefined
  } catch (error) {
    if (error instanceof Failure || error instanceof PollFailure) return undefined
    throw error
  }
}

const fromFolder = async (
  context: Context,
  { environment_id, source_id }: SourceItemRecord,
  address: string,
): Promise<UploadedFile> => {
  const { rows } = await sql<SourceRow>`select * from sources
    where environment_id = ${environment_id} and id = ${source_id}`.execute(context.db)
  const signal = AbortSignal.timeout(timeout)
  return inFolder(context, address, rows[0]!, { signal, timeout }, async (client, path) => {
    const body = new PassThrough()
    const storing = storeIncoming(context.storage, body, (size) => {
      if (size > max) throw new PollFailure('The picture is too large')
    })
    // Whichever fails first is what went wrong; the other must not be left unheard.
    const [stored] = await Promise.all([storing, download(client.downloadTo(body, path), body)])
    return new UploadedFile({ ...stored, original_name: plainName(path.split('/').at(-1)!) })
  })
}

const download = async (downloading: Promise<unknown>, body: PassThrough): Promise<void> => {
  try {
    await downloading
  } catch (error) {
    body.destroy(error as Error)
    throw error
  }
}
