import { Text } from '@mantine/core'
import { useEffect } from 'react'
import { refresh, useRead } from '../../api/queries.ts'
import { StatusMark } from '../../components/StatusMark.tsx'
import { t } from '../../texts/index.ts'
import { clockOf, type Entry } from './entry.ts'
import classes from './Music.module.css'

/** Asked again when it is over, or something else begins. */
export const useNow = (channel: string) => {
  const read = useRead('/v5/timelines/now', { query: { channel_id: channel } }, { enabled: channel !== '' })
  const { now, next } = read.data ?? {}
  const changes = Math.min(
    now?.unpublish_on ?? Number.POSITIVE_INFINITY,
    next?.published_on ?? Number.POSITIVE_INFINITY,
  )
  useEffect(() => {
    if (channel === '') return
    const wait = Math.min(Math.max(changes * 1000 - Date.now() + 1000, 2000), 60_000)
    const timer = setInterval(() => refresh('timelines'), wait)
    return () => clearInterval(timer)
  }, [changes, channel])
  return { now: now as Entry | null | undefined, next: next as Entry | null | undefined }
}

export const NowOnAir = ({ now, next }: ReturnType<typeof useNow>) => (
  <div className={classes.now} role="status">
    {now ? (
      <>
        <StatusMark meaning="danger">{t.music.nowIs}</StatusMark>
        <Text size="sm" fw={600} dir="auto">
          {now.body}
        </Text>
        <Text size="xs" c="dimmed" className="figures">
          {clockOf(now.from)} – {clockOf(now.until)}
        </Text>
      </>
    ) : (
      <StatusMark meaning="none">{now === null ? t.music.silence : t.common.loading}</StatusMark>
    )}
    {next && (
      <Text size="xs" c="dimmed" className="figures" dir="auto">
        {t.music.next}: {clockOf(next.from)} {next.body}
      </Text>
    )}
  </div>
)
