import { Button, Group } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { type KeyboardEvent, useState } from 'react'
import { useCan } from '../../../api/access.ts'
import { useRead } from '../../../api/queries.ts'
import { RelativeTime } from '../../../components/RelativeTime.tsx'
import { type Meaning, StatusMark } from '../../../components/StatusMark.tsx'
import { linkOf } from '../../../frame/links.ts'
import { t } from '../../../texts/index.ts'
import classes from '../Inbox.module.css'
import { addReply, type Comment, commentFields, setBody, setStatus, writerOf } from './comment.ts'
import { WordsForm } from './WordsForm.tsx'

type Props = {
  comment: Comment
  /** Of what it is about; not told again inside a thread. */
  title?: string
}

const meanings: Record<Comment['status'], Meaning> = { pending: 'waiting', approved: 'done', hidden: 'gone' }

const neighbour = (from: HTMLElement, step: number): HTMLElement | undefined => {
  const all = [...document.querySelectorAll<HTMLElement>('article[data-comment]')]
  return all[all.indexOf(from) + step]
}

/** One comment with everything a moderator does to it. */
export const CommentCard = ({ comment, title }: Props) => {
  const can = useCan()
  const mayModerate = can('comments_publish')
  const [form, setForm] = useState<'edit' | 'reply'>()
  const [unfolded, setUnfolded] = useState(false)
  const { status, parent, replies } = comment
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (event.target !== event.currentTarget || event.metaKey || event.ctrlKey) return
    const here = event.currentTarget
    if (event.key === 'j') neighbour(here, 1)?.focus()
    if (event.key === 'k') neighbour(here, -1)?.focus()
    if (event.key === 'a' && mayModerate) act(here, 'approved')
    if (event.key === 'h' && mayModerate) act(here, 'hidden')
  }
  const act = (here: HTMLElement, verdict: 'approved' | 'hidden') => {
    ;(neighbour(here, 1) ?? neighbour(here, -1))?.focus()
    setStatus(comment, verdict)
  }
  const give = async (text: string) => {
    await (form === 'edit' ? setBody(comment, text) : addReply(comment, text))
    if (form === 'reply') setUnfolded(true)
    setForm(undefined)
  }
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it is walked by keys
    <article className={classes.comment} data-comment tabIndex={0} onKeyDown={onKeyDown}>
      <div className={classes.commentHead}>
        <b>{writerOf(comment)}</b>
        <RelativeTime at={comment.created_on} />
        <StatusMark meaning={meanings[status]}>{t.inbox.statuses[status]}</StatusMark>
        {comment.moderated && <span>{t.inbox.moderated}</span>}
        {title && (
          <Link
            {...(linkOf('publications', comment.publication.id) as { to: string })}
            className="ellipsis"
            dir="auto"
          >
            {title}
          </Link>
        )}
      </div>
      {title && parent?.id && <Parent id={parent.id} />}
      {form === 'edit' ? (
        <WordsForm
          label={t.inbox.commentBody}
          begin={comment.body}
          submit={t.inbox.save}
          onSubmit={give}
          onCancel={() => setForm(undefined)}
        />
      ) : (
        <p dir="auto">{comment.body}</p>
      )}
      <Group gap="sm">
        {mayModerate && status !== 'approved' && (
          <Button size="compact-sm" onClick={() => setStatus(comment, 'approved')}>
            {t.inbox.approve}
          </Button>
        )}
        {mayModerate && status !== 'hidden' && (
          <Button size="compact-sm" variant="default" onClick={() => setStatus(comment, 'hidden')}>
            {t.inbox.hide}
          </Button>
        )}
        {mayModerate && form === undefined && (
          <>
            <Button size="compact-sm" variant="subtle" color="gray" onClick={() => setForm('edit')}>
              {t.inbox.edit}
            </Button>
            <Button size="compact-sm" variant="subtle" color="gray" onClick={() => setForm('reply')}>
              {t.inbox.reply}
            </Button>
          </>
        )}
        {(replies?.total ?? 0) > 0 && (
          <Button
            size="compact-sm"
            variant="subtle"
            color="gray"
            aria-expanded={unfolded}
            onClick={() => setUnfolded(!unfolded)}
          >
            {unfolded ? t.inbox.hideThread : t.inbox.thread(replies!.total)}
          </Button>
        )}
      </Group>
      {form === 'reply' && (
        <WordsForm
          label={t.inbox.replyLabel}
          begin=""
          submit={t.inbox.sendReply}
          onSubmit={give}
          onCancel={() => setForm(undefined)}
        />
      )}
      {unfolded && <Thread id={comment.id} />}
    </article>
  )
}

const Thread = ({ id }: { id: string }) => {
  const query = { fields: commentFields, limit: 100, total: false }
  const { data } = useRead('/v5/comments/{id}/replies', { path: { id }, query })
  return data?.items.map((reply) => <CommentCard key={reply.id} comment={reply} />)
}

const Parent = ({ id }: { id: string }) => {
  const { data } = useRead('/v5/comments/{id}', { path: { id }, query: { fields: 'sent' } })
  return (
    <blockquote className={`${classes.quoted} ellipsis`} dir="auto">
      {t.inbox.inReplyTo} {data ? `${writerOf(data)}: ${data.body.slice(0, 200)}` : '…'}
    </blockquote>
  )
}
