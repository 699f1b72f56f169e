import { recordRoutes } from '../../http/records.ts'
import type { Routes } from '../../http/types.ts'
import { changeChannel, createChannel, deleteChannel } from './commands.ts'
import { channelList } from './filters.ts'
import { channelExpansions, presentChannel } from './present.ts'
import { Channel, ChannelBody, ChannelChanges } from './schema.ts'

export const channelRoutes: Routes = (app, context) =>
  recordRoutes(app, context, {
    path: '/channels',
    label: 'Channel',
    record: Channel,
    list: channelList,
    expansions: channelExpansions,
    present: presentChannel,
    read: ['channels'],
    cached: ['content'],
    create: { scopes: ['channels', 'channels_publish'], body: ChannelBody, run: createChannel },
    change: { scopes: ['channels', 'channels_publish'], body: ChannelChanges, run: changeChannel },
    remove: { scopes: ['channels', 'channels_delete'], run: deleteChannel },
  })
