import { ActionIcon } from '@mantine/core'
import { IconDeviceTv, IconMusic, IconPhoto, IconStar, IconStarFilled, IconVideo } from '@tabler/icons-react'
import { useCan } from '../../../api/access.ts'
import type { Column } from '../../../components/DataTable.tsx'
import { RelativeTime } from '../../../components/RelativeTime.tsx'
import { t } from '../../../texts/index.ts'
import classes from '../Inbox.module.css'
import { type Message, senderOf, setFavorite } from './message.ts'

const kinds = { photo: IconPhoto, audio: IconMusic, video: IconVideo }

const Marks = ({ message }: { message: Message }) => (
  <span className={classes.marks}>
    {message.on_screen && <IconDeviceTv size={16} role="img" aria-label={t.inbox.onScreen} />}
    {(message.attachments ?? []).map(({ kind }) => {
      const Icon = kinds[kind]
      return <Icon key={kind} size={16} role="img" aria-label={t.inbox.kinds[kind]} />
    })}
  </span>
)

const Star = ({ message }: { message: Message }) => {
  const can = useCan()
  const Icon = message.favorite ? IconStarFilled : IconStar
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      disabled={!can('messages_publish')}
      aria-pressed={message.favorite ?? false}
      aria-label={t.inbox.favorite}
      onClick={(event) => {
        event.stopPropagation()
        setFavorite(message, !message.favorite)
      }}
    >
      <Icon size={16} className={message.favorite ? classes.star : undefined} aria-hidden />
    </ActionIcon>
  )
}

export const messageColumns = (): Column<Message>[] => [
  { key: 'favorite', title: '', width: '32px', render: (message) => <Star message={message} /> },
  {
    key: 'sender',
    title: t.inbox.sender,
    width: 'minmax(120px, 1fr)',
    small: 'first',
    render: (message) => <b className={classes.sender}>{senderOf(message)}</b>,
  },
  {
    key: 'message',
    title: t.inbox.message,
    width: 'minmax(220px, 4fr)',
    small: 'second',
    render: ({ subject, body }) => (
      <span className="ellipsis" dir="auto">
        {subject && <b>{subject} </b>}
        {body.slice(0, 300)}
      </span>
    ),
  },
  {
    key: 'marks',
    title: '',
    width: '60px',
    small: 'first',
    render: (message) => <Marks message={message} />,
  },
  {
    key: 'type',
    keep: 1,
    title: t.inbox.kind,
    width: '100px',
    render: ({ type }) => type && t.inbox.labels[type],
  },
  {
    key: 'channel',
    keep: 2,
    title: t.inbox.channel,
    width: 'minmax(90px, 0.8fr)',
    render: ({ channel }) => channel?.name ?? '',
  },
  {
    key: 'created_on',
    title: t.inbox.time,
    width: '100px',
    small: 'first',
    render: ({ created_on }) => <RelativeTime at={created_on} />,
  },
]
