import { sql } from 'kysely'
import type { Context } from '../../context.ts'
import { conflict, invalid } from '../../errors.ts'
import type { ChannelRow } from '../channels/table.ts'
import { foldersIn } from './folder.ts'

/** Whose recordings are meant; where only one channel has any, it need not be said. */
export const channelOf = async (
  { db, config }: Context,
  environmentId: string,
  named: string | undefined,
): Promise<ChannelRow> => {
  const folders = [...(await foldersIn(config.recordings))]
  const { rows } = await sql<ChannelRow>`select * from channels where environment_id = ${environmentId}
    and (record or id = any(${folders}::text[]) or exists (select 1 from recordings
      where recordings.environment_id = channels.environment_id and channel_id = channels.id))`.execute(db)
  if (rows.length === 0)
    throw conflict('channel_id', 'no channel of this environment is recorded', 'AudiotoolNotConfigured')
  if (named === undefined && rows.length > 1)
    throw invalid('channel_id', 'is required, for several channels are recorded')
  const channel = named === undefined ? rows[0] : rows.find(({ id }) => id === named)
  if (!channel) throw invalid('channel_id', 'is no channel that is recorded')
  return channel
}
