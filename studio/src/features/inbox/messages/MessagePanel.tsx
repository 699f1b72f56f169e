import { Button, Group, Modal, Skeleton, Stack, Switch, TagsInput, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useCan } from '../../../api/access.ts'
import { api } from '../../../api/client.ts'
import { refresh, useRead } from '../../../api/queries.ts'
import { ErrorState } from '../../../components/ErrorState.tsx'
import { formatTime } from '../../../components/format.ts'
import { Panel } from '../../../components/Panel.tsx'
import { toast, toastError } from '../../../components/toast.tsx'
import { linkOf } from '../../../frame/links.ts'
import { t } from '../../../texts/index.ts'
import classes from '../Inbox.module.css'
import { Attachments } from './Attachments.tsx'
import { type Message, rowFields, senderOf, setFavorite, setOnScreen, setTags } from './message.ts'
import { Replies } from './Replies.tsx'

type Props = { id: string | undefined; onClose: () => void }

export const MessagePanel = ({ id, onClose }: Props) => {
  const read = useRead(
    '/messages/{id}',
    { path: { id: id ?? '' }, query: { fields: `${rowFields},tags` } },
    { enabled: id !== undefined },
  )
  const message = read.data
  const title = message ? t.inbox.from(senderOf(message)) : t.common.loading
  return (
    <Panel title={title} opened={id !== undefined} onClose={onClose} width={420}>
      {read.error && <ErrorState title={t.inbox.loadFailed} error={read.error} retry={read.refetch} />}
      {!message && !read.error && <Skeleton height={160} />}
      {message && <Inside key={message.id} message={message} onClose={onClose} />}
    </Panel>
  )
}

const Inside = ({ message, onClose }: { message: Message; onClose: () => void }) => {
  const can = useCan()
  const mayChange = can('messages_publish')
  const { type, subject, body, channel, created_on } = message
  const facts = [type && t.inbox.labels[type], channel?.name, formatTime(created_on)]
  return (
    <Stack gap="lg">
      <Sender message={message} facts={facts.filter(Boolean).join(' · ')} />
      <div>
        {subject && (
          <Text fw={600} mb={4} dir="auto">
            {subject}
          </Text>
        )}
        <Text className={classes.words} dir="auto">
          {body}
        </Text>
      </div>
      <Attachments message={message} />
      <Group gap="xl">
        <Switch
          label={t.inbox.onScreen}
          disabled={!mayChange}
          checked={message.on_screen ?? false}
          onChange={(event) => setOnScreen(message, event.currentTarget.checked)}
        />
        <Switch
          label={t.inbox.favorite}
          disabled={!mayChange}
          checked={message.favorite ?? false}
          onChange={(event) => setFavorite(message, event.currentTarget.checked)}
        />
      </Group>
      <Tags message={message} disabled={!mayChange} />
      <Replies message={message} mayReply={mayChange} />
      {mayChange && <Delete id={message.id} onDone={onClose} />}
    </Stack>
  )
}

const Sender = ({ message, facts }: { message: Message; facts: string }) => {
  const can = useCan()
  const { sent, email, phone } = message
  return (
    <Stack gap={2}>
      <Text size="sm" c="dimmed">
        {facts}
      </Text>
      {[email, phone].filter(Boolean).map((way) => (
        <Text key={way} size="sm" className="ellipsis">
          {way}
        </Text>
      ))}
      {sent?.id && can('persons') && (
        <Link {...(linkOf('persons', sent.id) as { to: string })} className={classes.link}>
          {t.inbox.openPerson}
        </Link>
      )}
    </Stack>
  )
}

const Tags = ({ message, disabled }: { message: Message; disabled: boolean }) => {
  const known = useRead('/tags', { query: { limit: 1000, total: false } }).data?.items ?? []
  return (
    <TagsInput
      label={t.inbox.tags}
      size="sm"
      disabled={disabled}
      data={[...new Set(known.map(({ body }) => body))]}
      limit={50}
      value={(message.tags?.items ?? []).map(({ body }) => body)}
      onChange={(bodies) => setTags(message, bodies)}
    />
  )
}

/** There is no trash for messages, so it is asked first. */
const Delete = ({ id, onDone }: { id: string; onDone: () => void }) => {
  const [asks, setAsks] = useState(false)
  const run = async () => {
    try {
      await api.delete('/v5/messages/{id}', { path: { id } })
      toast(t.inbox.deleted)
      onDone()
    } catch (error) {
      setAsks(false)
      toastError(t.inbox.deleting, error)
    } finally {
      refresh('messages')
    }
  }
  return (
    <>
      <Button size="xs" variant="default" style={{ alignSelf: 'start' }} onClick={() => setAsks(true)}>
        {t.inbox.delete}
      </Button>
      <Modal
        opened={asks}
        onClose={() => setAsks(false)}
        title={t.inbox.deleteTitle}
        closeButtonProps={{ 'aria-label': t.actions.close }}
      >
        <Text size="sm">{t.inbox.deleteHint}</Text>
        <Group justify="flex-end" mt="lg" gap="sm">
          <Button variant="default" onClick={() => setAsks(false)}>
            {t.actions.cancel}
          </Button>
          <Button color="red" onClick={run}>
            {t.inbox.deleteForGood}
          </Button>
        </Group>
      </Modal>
    </>
  )
}
