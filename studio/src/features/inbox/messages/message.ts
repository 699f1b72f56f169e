import type { Marquee } from 'marquee-sdk'
import { api } from '../../../api/client.ts'
import { queryClient, refresh } from '../../../api/queries.ts'
import { toast, toastError } from '../../../components/toast.tsx'
import { t } from '../../../texts/index.ts'

export type Message = Marquee.Message2

export const rowFields = 'type,nickname,phone,email,subject,on_screen,favorite,attachments,channel{name}'

/** What the sender calls itself on the air, else what is known. */
export const senderOf = ({ nickname, sent, email, phone }: Message): string =>
  nickname ||
  sent?.nickname ||
  [sent?.first_name ?? sent?.initials, sent?.last_name].filter(Boolean).join(' ') ||
  email ||
  phone ||
  t.inbox.unknown

type Changes = { on_screen?: boolean; favorite?: boolean; tags?: { body: string }[] }

/** In everything that is known, before the service has said yes. */
const show = (id: string, { tags: _, ...changes }: Changes): void => {
  const changed = (message: Message): Message => (message.id === id ? { ...message, ...changes } : message)
  queryClient.setQueriesData({ queryKey: ['messages'] }, (known: unknown) => {
    const held = known as Message & { pages?: { items: Message[] }[] }
    if (held?.pages)
      return { ...held, pages: held.pages.map((page) => ({ ...page, items: page.items.map(changed) })) }
    return held?.id === id ? changed(held) : known
  })
}

const put = async (id: string, changes: Changes): Promise<void> => {
  show(id, changes)
  try {
    await api.put('/v5/messages/{id}', { path: { id }, body: changes })
  } finally {
    refresh('messages')
  }
}

const change = async (id: string, changes: Changes, back: Changes, said: string): Promise<void> => {
  try {
    await put(id, changes)
    toast(said, () => put(id, back))
  } catch (error) {
    toastError(t.inbox.changing, error)
  }
}

export const setOnScreen = (message: Message, on_screen: boolean): Promise<void> => {
  const name = senderOf(message)
  const said = on_screen ? t.inbox.putOnScreen(name) : t.inbox.offScreen(name)
  return change(message.id, { on_screen }, { on_screen: !on_screen }, said)
}

export const setFavorite = (message: Message, favorite: boolean): Promise<void> =>
  change(message.id, { favorite }, { favorite: !favorite }, favorite ? t.inbox.favored : t.inbox.unfavored)

export const setTags = (message: Message, bodies: string[]): Promise<void> => {
  const back = (message.tags?.items ?? []).map(({ body }) => ({ body }))
  return change(message.id, { tags: bodies.map((body) => ({ body })) }, { tags: back }, t.inbox.tagged)
}
