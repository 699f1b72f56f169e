import { Button, CloseButton } from '@mantine/core'
import { useFullscreenDocument } from '@mantine/hooks'
import { useEffect } from 'react'
import { useAddress } from '../../../address.ts'
import { useCan } from '../../../api/access.ts'
import { usePages } from '../../../api/queries.ts'
import { filterQuery, filtersIn } from '../../../components/filters/filter.ts'
import { RelativeTime } from '../../../components/RelativeTime.tsx'
import { useLiveState } from '../../../live/live.ts'
import { t } from '../../../texts/index.ts'
import { fileAddress } from './Attachments.tsx'
import { messageFields } from './fields.ts'
import { type Message, rowFields, senderOf, setOnScreen } from './message.ts'
import classes from './Screen.module.css'

/** What is on screen, what was put there last first, in letters that are read across a studio. */
const ScreenPage = () => {
  const [address] = useAddress()
  const filters = filterQuery(filtersIn(address, messageFields()))
  const list = usePages('/messages', {
    'created_on[gt]': '2000-01-01',
    ...filters,
    'on_screen[has]': 'true',
    sort: '-changed_on',
    fields: rowFields,
  })
  const { toggle, fullscreen } = useFullscreenDocument()
  const live = useLiveState()
  useStayAwake()
  useEffect(() => {
    document.title = t.frame.page(t.inbox.screenTitle)
  }, [])
  return (
    <main className={classes.screen}>
      <h1 className={classes.title}>{t.inbox.screenTitle}</h1>
      <div className={classes.tools}>
        {live === 'lost' && <span role="status">{t.frame.lost}</span>}
        {!fullscreen && (
          <Button variant="default" size="xs" onClick={toggle}>
            {t.inbox.fullScreen}
          </Button>
        )}
      </div>
      {list.total === 0 && !list.isPlaceholder ? (
        <div className={classes.empty}>
          <p>{t.inbox.screenEmpty}</p>
          <small>{t.inbox.screenEmptyHint}</small>
        </div>
      ) : (
        <div className={classes.messages} aria-live="polite">
          {list.rows.slice(0, 20).map((message) => (
            <Shown key={message.id} message={message} />
          ))}
        </div>
      )}
    </main>
  )
}

const Shown = ({ message }: { message: Message }) => {
  const can = useCan()
  const name = senderOf(message)
  const photo = message.attachments?.find(({ kind, url }) => kind === 'photo' && url)?.url
  return (
    <article className={classes.message} data-long={message.body.length > 280 || undefined}>
      <header>
        <b dir="auto">{name}</b>
        <span>
          {[message.channel?.name, message.type && t.inbox.labels[message.type]].filter(Boolean).join(' · ')}
        </span>
        <RelativeTime at={message.created_on} />
        {can('messages_publish') && (
          <CloseButton
            className={classes.off}
            aria-label={t.inbox.takeOff(name)}
            onClick={() => setOnScreen(message, false)}
          />
        )}
      </header>
      <div className={classes.content}>
        <p dir="auto">{message.body}</p>
        {photo && <img src={fileAddress(photo)} alt={t.inbox.kinds.photo} />}
      </div>
    </article>
  )
}

/** A monitor in a studio is watched, not touched. Browsers let go of the lock whenever the page is hidden. */
const useStayAwake = (): void => {
  useEffect(() => {
    const hold = () => {
      if (document.visibilityState === 'visible') navigator.wakeLock?.request('screen').catch(() => {})
    }
    hold()
    document.addEventListener('visibilitychange', hold)
    return () => document.removeEventListener('visibilitychange', hold)
  }, [])
}

export default ScreenPage
