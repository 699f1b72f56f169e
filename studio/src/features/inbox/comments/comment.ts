import type { V5 } from 'marquee-sdk'
import { api } from '../../../api/client.ts'
import { queryClient, refresh } from '../../../api/queries.ts'
import { toast, toastError } from '../../../components/toast.tsx'
import { t } from '../../../texts/index.ts'

export type Comment = V5.Comment

export const commentFields = 'sent,replies{total},created_by{name}'

export const writerOf = ({ sent, created_by }: Comment): string =>
  sent?.nickname ||
  [sent?.firstname ?? sent?.initials].filter(Boolean).join(' ') ||
  (sent ? t.inbox.anonymous : (created_by?.name ?? t.inbox.anonymous))

type Verdict = 'approved' | 'hidden'

const judge = (id: string, status: Verdict): Promise<Comment> =>
  status === 'approved'
    ? api.post('/v5/comments/{id}/approve', { path: { id } })
    : api.post('/v5/comments/{id}/hide', { path: { id } })

/** In every list that is known, before the service has said yes. */
const show = (id: string, changes: Partial<Comment>): void => {
  const changed = (one: Comment): Comment => (one.id === id ? { ...one, ...changes } : one)
  queryClient.setQueriesData({ queryKey: ['comments'] }, (known: unknown) => {
    const held = known as { items?: Comment[]; pages?: { items: Comment[] }[] }
    if (held?.pages)
      return { ...held, pages: held.pages.map((page) => ({ ...page, items: page.items.map(changed) })) }
    return held?.items ? { ...held, items: held.items.map(changed) } : known
  })
}

/** What waited cannot wait again, so only a change of mind between the two is taken back. */
export const setStatus = async ({ id, status: before }: Comment, status: Verdict): Promise<void> => {
  if (before === status) return
  const run = async (next: Verdict) => {
    show(id, { status: next })
    try {
      await judge(id, next)
    } finally {
      refresh('comments')
    }
  }
  try {
    await run(status)
    const said = status === 'approved' ? t.inbox.approvedOne : t.inbox.hiddenOne
    toast(said, before === 'pending' ? undefined : () => run(before))
  } catch (error) {
    toastError(t.inbox.moderating, error)
  }
}

export const setBody = async (comment: Comment, body: string): Promise<void> => {
  const { id } = comment
  const run = async (text: string) => {
    show(id, { body: text, moderated: true })
    try {
      await api.put('/v5/comments/{id}', { path: { id }, body: { body: text } })
    } finally {
      refresh('comments')
    }
  }
  await run(body)
  toast(t.inbox.editedOne, () => run(comment.body))
}

export const addReply = async ({ id }: Comment, body: string): Promise<void> => {
  await api.post('/v5/comments/{id}/replies', { path: { id }, body: { body } })
  refresh('comments')
  toast(t.inbox.repliedOne)
}
