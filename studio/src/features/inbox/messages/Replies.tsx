import { Alert, Button, Stack, Text, Textarea, TextInput, Title } from '@mantine/core'
import type { V5 } from 'marquee-sdk'
import { type FormEvent, useState } from 'react'
import { api } from '../../../api/client.ts'
import { refresh, useRead } from '../../../api/queries.ts'
import { explain } from '../../../components/explain.ts'
import { RelativeTime } from '../../../components/RelativeTime.tsx'
import { toast } from '../../../components/toast.tsx'
import { t } from '../../../texts/index.ts'
import classes from '../Inbox.module.css'
import type { Message } from './message.ts'

/** What was answered, and a field for the next answer. */
export const Replies = ({ message, mayReply }: { message: Message; mayReply: boolean }) => {
  const { data } = useRead('/v5/messages/{id}/replies', {
    path: { id: message.id },
    query: { fields: 'delivery,subject,created_by{name}', limit: 100, total: false },
  })
  const replies = data?.items ?? []
  return (
    <Stack component="section" gap="sm">
      {replies.length > 0 && (
        <Title order={3} size="sm">
          {t.inbox.replies}
        </Title>
      )}
      {replies.map((reply) => (
        <Reply key={reply.id} reply={reply} />
      ))}
      {mayReply && <ReplyForm message={message} />}
    </Stack>
  )
}

const Reply = ({ reply }: { reply: V5.Message2 }) => (
  <div className={classes.reply}>
    <Text size="xs" c="dimmed">
      {reply.created_by?.name ?? t.inbox.desk} · <RelativeTime at={reply.created_on} />
      {reply.delivery && ` · ${t.inbox.deliveries[reply.delivery]}`}
    </Text>
    {reply.subject && (
      <Text size="sm" fw={600}>
        {reply.subject}
      </Text>
    )}
    <Text size="sm" className={classes.words} dir="auto">
      {reply.body}
    </Text>
  </div>
)

const ReplyForm = ({ message }: { message: Message }) => {
  const label = message.type ?? 'WebMessage'
  const isEmail = label === 'EmailMessage'
  const [subject, setSubject] = useState(message.subject ? `Re: ${message.subject}` : '')
  const [body, setBody] = useState('')
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<unknown>()
  const send = async (event: FormEvent) => {
    event.preventDefault()
    setBusy(true)
    setFailure(undefined)
    try {
      const sent = { body: body.trim(), label, ...(isEmail && { subject: subject.trim() }) }
      await api.post('/v5/messages/{id}/replies', { path: { id: message.id }, body: sent })
      setBody('')
      refresh('messages')
      toast(isEmail ? t.inbox.replied : t.inbox.replyStored)
    } catch (error) {
      // What was written stays in the field.
      setFailure(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <form onSubmit={send} className={classes.form}>
      {isEmail && (
        <TextInput
          label={t.inbox.subject}
          size="sm"
          value={subject}
          onChange={(event) => setSubject(event.currentTarget.value)}
        />
      )}
      <Textarea
        label={t.inbox.replyLabel}
        size="sm"
        autosize
        minRows={3}
        maxRows={12}
        dir="auto"
        value={body}
        description={isEmail ? undefined : t.inbox.storedHint}
        onChange={(event) => setBody(event.currentTarget.value)}
      />
      {failure !== undefined && (
        <Alert color="red" variant="light" role="alert">
          {explain(failure)}
        </Alert>
      )}
      <Button
        type="submit"
        size="xs"
        loading={busy}
        disabled={body.trim() === '' || (isEmail && subject.trim() === '')}
        style={{ alignSelf: 'start' }}
      >
        {isEmail ? t.inbox.sendEmail : t.inbox.sendReply}
      </Button>
    </form>
  )
}
