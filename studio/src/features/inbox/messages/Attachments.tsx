import { Anchor, Stack, Text } from '@mantine/core'
import { t } from '../../../texts/index.ts'
import classes from '../Inbox.module.css'
import type { Message } from './message.ts'

/** Files of messages are private: their addresses are signed, and lead to the page's own origin. */
export const fileAddress = (url: string): string => {
  const { pathname, search } = new URL(url, location.href)
  return pathname + search
}

export const Attachments = ({ message }: { message: Message }) => {
  const { attachments = [] } = message
  if (attachments.length === 0) return null
  return (
    <Stack component="section" gap="sm" aria-label={t.inbox.attachments}>
      {attachments.map((attachment) => (
        <Attachment key={attachment.kind} {...attachment} />
      ))}
    </Stack>
  )
}

type Props = NonNullable<Message['attachments']>[number]

const Attachment = ({ kind, url, source_url }: Props) => {
  const name = t.inbox.kinds[kind]
  if (!url)
    return (
      <Text size="sm" c="dimmed">
        {name}: {t.inbox.waitingFile} {source_url && <span className={classes.address}>{source_url}</span>}
      </Text>
    )
  const src = fileAddress(url)
  if (kind === 'photo')
    return (
      <Anchor href={src} target="_blank" rel="noreferrer" className={classes.photo}>
        <img src={src} alt={name} loading="lazy" />
      </Anchor>
    )
  if (kind === 'audio')
    // biome-ignore lint/a11y/useMediaCaption: nobody sends captions
    return <audio src={src} controls preload="metadata" aria-label={name} className={classes.media} />
  // biome-ignore lint/a11y/useMediaCaption: nobody sends captions
  return <video src={src} controls preload="metadata" aria-label={name} className={classes.media} />
}
