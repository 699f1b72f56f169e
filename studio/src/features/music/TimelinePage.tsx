import { ActionIcon, Button, NativeSelect, Text, TextInput, Tooltip } from '@mantine/core'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { useMemo } from 'react'
import { useAddress } from '../../address.ts'
import { useCan, useEnvironment } from '../../api/access.ts'
import { useRead } from '../../api/queries.ts'
import { type Column, DataTable } from '../../components/DataTable.tsx'
import { EmptyState } from '../../components/EmptyState.tsx'
import { ErrorState } from '../../components/ErrorState.tsx'
import { formatDuration, formatNumber } from '../../components/format.ts'
import { PageHead } from '../../components/PageHead.tsx'
import { StatusMark } from '../../components/StatusMark.tsx'
import { t } from '../../texts/index.ts'
import { isDay, shifted, shownAt, todayIn } from './day.ts'
import { EntryPanel, entryFields } from './EntryPanel.tsx'
import { clockOf, type Entry, runningAt } from './entry.ts'
import { ImportButton } from './import/ImportButton.tsx'
import { MomentsChart } from './MomentsChart.tsx'
import classes from './Music.module.css'
import { MusicTabs } from './MusicTabs.tsx'
import { NowOnAir, useNow } from './NowOnAir.tsx'

const useColumns = (onAir: ReadonlySet<string>, showsChannel: boolean): Column<Entry>[] =>
  useMemo(() => {
    const columns: Column<Entry>[] = [
      {
        key: 'from',
        title: t.music.from,
        width: '80px',
        small: 'second',
        render: ({ from }) => clockOf(from),
      },
      {
        key: 'until',
        title: t.music.until,
        width: '80px',
        keep: 4,
        small: 'second',
        render: ({ until }) => clockOf(until),
      },
      {
        key: 'body',
        title: t.music.what,
        width: 'minmax(180px, 2fr)',
        small: 'first',
        render: ({ body }) => (
          <span className={classes.title} dir="auto">
            {body}
          </span>
        ),
      },
      {
        key: 'live',
        title: '',
        width: '110px',
        small: 'first',
        render: ({ id }) =>
          onAir.has(id) && (
            <span className={classes.live}>
              <StatusMark meaning="danger">{t.music.onAir}</StatusMark>
            </span>
          ),
      },
      {
        key: 'track',
        title: t.music.track,
        width: 'minmax(120px, 1fr)',
        keep: 2,
        render: ({ track }) =>
          track?.body ?? (
            <Text span inherit c="dimmed">
              {t.music.noTrack}
            </Text>
          ),
      },
      {
        key: 'length',
        title: t.music.length,
        width: '70px',
        keep: 3,
        align: 'right',
        render: ({ published_on, unpublish_on }) => formatDuration(unpublish_on - published_on),
      },
    ]
    const channel: Column<Entry> = {
      key: 'channel',
      title: t.music.channel,
      width: '130px',
      keep: 1,
      small: 'second',
      render: (entry) => entry.channel?.name ?? t.music.noChannel,
    }
    return showsChannel ? [...columns, channel] : columns
  }, [onAir, showsChannel])

/** The channel that the address names, or else the first with something on air today; empty for all of them. */
const useChannel = (wanted: string | undefined, today: string) => {
  const read = useRead('/channels', { query: { limit: 1000, sort: ['name'] } })
  const all = useRead(
    '/v5/timelines',
    { query: { date: today, fields: entryFields } },
    { enabled: wanted === undefined },
  )
  const channels = read.data?.items ?? []
  const busy = (all.data?.items as Entry[] | undefined)?.find((entry) => entry.channel)?.channel?.id
  const channel = wanted === 'all' ? '' : (wanted ?? busy ?? channels[0]?.id ?? '')
  return { channels, channel, isKnown: wanted !== undefined || !(read.isLoading || all.isLoading) }
}

/** What is, was and will be on air on a day, as clocks of the environment show it. */
const TimelinePage = () => {
  const [address, change] = useAddress()
  const environment = useEnvironment()
  const timeZone = environment?.time_zone ?? 'UTC'
  const today = todayIn(timeZone)
  const date = isDay(address.date) ? address.date : today
  const { channels, channel, isKnown } = useChannel(address.channel, today)
  const day = useRead(
    '/v5/timelines',
    { query: { date, fields: entryFields, ...(channel && { channel_id: channel }) } },
    { enabled: isKnown && environment !== undefined },
  )
  const entries = (day.data?.items ?? []) as Entry[]
  const { now, next } = useNow(isKnown ? channel : '')
  const onAir = useMemo(
    () => (channel ? new Set(now ? [now.id] : []) : runningAt(entries, Date.now())),
    [channel, now, entries],
  )
  const columns = useColumns(onAir, channel === '')
  const mayWrite = useCan()('content_items_publish')
  const mayMoments = useCan()('publications')
  const show = (next: string) => change({ date: next === today ? undefined : next, peek: undefined })
  const add = mayWrite && (
    <Button size="xs" onClick={() => change({ peek: 'new' })}>
      {t.music.add}
    </Button>
  )
  const importLog = mayWrite && <ImportButton kind="timelines" channel={channel} channels={channels} />
  const last = entries.at(-1)
  return (
    <div className={classes.page}>
      <PageHead
        title={t.areas.music}
        hint={day.data && formatNumber(day.data.total)}
        below={<MusicTabs active="timeline" />}
      >
        {importLog}
        {add}
      </PageHead>
      <div className={classes.controls}>
        <Step label={t.music.before} onClick={() => show(shifted(date, -1))} icon={IconChevronLeft} />
        <TextInput
          type="date"
          size="xs"
          aria-label={t.music.date}
          value={date}
          onChange={(event) => isDay(event.currentTarget.value) && show(event.currentTarget.value)}
        />
        <Step label={t.music.after} onClick={() => show(shifted(date, 1))} icon={IconChevronRight} />
        <Button size="xs" variant="default" disabled={date === today} onClick={() => show(today)}>
          {t.music.today}
        </Button>
        <NativeSelect
          size="xs"
          aria-label={t.music.channel}
          value={channel || 'all'}
          onChange={(event) => change({ channel: event.currentTarget.value })}
          data={[
            { value: 'all', label: t.music.allChannels },
            ...channels.map(({ id, name }) => ({ value: id, label: name })),
          ]}
        />
        <Text size="xs" c="dimmed">
          {t.music.zone(timeZone)}
        </Text>
      </div>
      {isKnown && channel !== '' && date === today && <NowOnAir now={now} next={next} />}
      {isKnown && channel !== '' && mayMoments && (
        <MomentsChart
          channel={channel}
          date={date}
          timeZone={timeZone}
          label={address.label ?? ''}
          onLabel={(label) => change({ label: label || undefined }, { replace: true })}
        />
      )}
      <div className={classes.split}>
        <div className={classes.list}>
          {day.error ? (
            <ErrorState error={day.error} retry={day.refetch} />
          ) : day.data?.total === 0 ? (
            <EmptyState title={t.music.emptyDay} hint={t.music.emptyDayHint}>
              {add}
            </EmptyState>
          ) : (
            <DataTable
              label={t.music.dayLabel(date)}
              rows={entries}
              columns={columns}
              nameOf={({ body }) => body}
              total={day.data?.total}
              loading={day.isLoading}
              startAt={date === today ? [...onAir][0] : undefined}
              openKey={address.peek}
              onOpen={({ id }) => change({ peek: id }, { replace: address.peek !== undefined })}
              onEdit={({ id }) => change({ peek: id }, { replace: address.peek !== undefined })}
              onClose={() => change({ peek: undefined })}
            />
          )}
        </div>
        <EntryPanel
          id={isKnown && (mayWrite || address.peek !== 'new') ? address.peek : undefined}
          date={date}
          channel={channel}
          channels={channels}
          after={last?.until.startsWith(date) ? clockOf(last.until) : clockOf(shownAt(Date.now(), timeZone))}
          onClose={() => change({ peek: undefined })}
        />
      </div>
    </div>
  )
}

type StepProps = { label: string; onClick: () => void; icon: typeof IconChevronLeft }

const Step = ({ label, onClick, icon: StepIcon }: StepProps) => (
  <Tooltip label={label}>
    <ActionIcon variant="default" size={30} aria-label={label} onClick={onClick}>
      <StepIcon size={16} aria-hidden />
    </ActionIcon>
  </Tooltip>
)

export default TimelinePage
