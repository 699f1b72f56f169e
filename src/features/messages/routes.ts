import type { Context } from '../../context.ts'
import type { ListRequest, Page } from '../../database/page.ts'
import { listWords, type Searched } from '../../database/words.ts'
import { column } from '../../http/expand.ts'
import { recordRoutes } from '../../http/records.ts'
import { Nullable } from '../../http/schemas.ts'
import type { ListOptions, Routes } from '../../http/types.ts'
import type { Actor } from '../access/authenticate.ts'
import { actingUser } from '../access/sessions/acting.ts'
import { isSentIn } from './describe.ts'
import { messageExpansions } from './expansions.ts'
import { askedOf, forUser, inMessages, messageList, requireFaultless } from './filters.ts'
import { findMessage, loadMessages } from './load.ts'
import { presentMessage } from './present.ts'
import { InboxQuery, MessageV5, Message as Shown } from './schema.ts'
import type { Message, MessageRow } from './table.ts'

/** A page of what was sent in, the newest first unless asked otherwise, words searched or not. */
export const pageOf =
  (options: ListOptions, searched: Searched) =>
  async (context: Context, actor: Actor, list: ListRequest): Promise<Page<Message>> => {
    requireFaultless(options, list, actor)
    const { request, secret } = askedOf(list)
    const user = await actingUser(context.db, actor, secret)
    const { options: own, only } = forUser(options, user)
    const page = await listWords<MessageRow>(
      context,
      own,
      searched,
      actor.environment_id,
      request,
      only,
      isSentIn,
    )
    return { ...page, rows: await loadMessages(context, actor.environment_id, page.rows, user) }
  }

/** The unversioned message is short; the rest is there on request. */
export const messageRoutes: Routes = (app, context) =>
  recordRoutes<Message, never, never>(app, context, {
    path: '/messages',
    label: 'Message',
    record: Shown,
    list: messageList,
    query: InboxQuery,
    expansions: {
      ...messageExpansions(context),
      type: { schema: MessageV5.properties.label, load: async () => (message) => message.label },
      nickname: column('nickname', Nullable('string')),
    },
    present: presentMessage,
    find: (_db, actor, id) => findMessage(context, actor.environment_id, id, actor.user_id),
    page: pageOf(messageList, inMessages),
    read: ['messages'],
  })
