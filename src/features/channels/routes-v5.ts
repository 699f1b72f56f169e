import { recordRoutes } from '../../http/records.ts'
import type { Routes } from '../../http/types.ts'
import { commonExpansions } from '../access/expansions.ts'
import { changeChannel, createChannel, deleteChannel } from './commands.ts'
import { channelList } from './filters.ts'
import { presentChannelV5 } from './present.ts'
import { ChannelBodyV5, ChannelChangesV5, ChannelV5 } from './schema.ts'

export const channelRoutesV5: Routes = (app, context) =>
  recordRoutes(app, context, {
    path: '/channels',
    label: 'Channel',
    record: ChannelV5,
    list: channelList,
    expansions: commonExpansions,
    present: presentChannelV5,
    read: ['channels'],
    cached: ['content'],
    create: { scopes: ['channels', 'channels_publish'], body: ChannelBodyV5, run: createChannel },
    change: { scopes: ['channels', 'channels_publish'], body: ChannelChangesV5, run: changeChannel },
    remove: { scopes: ['channels', 'channels_delete'], run: deleteChannel },
  })
