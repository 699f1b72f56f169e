import { Button, Group, NativeSelect, Table, Text, Title } from '@mantine/core'
import { useState } from 'react'
import { useRead } from '../../api/queries.ts'
import { saveFile } from '../../components/download.ts'
import { explain } from '../../components/explain.ts'
import { formatNumber } from '../../components/format.ts'
import { useIsSmall } from '../../components/small.ts'
import { t } from '../../texts/index.ts'
import { boundsOf } from './day.ts'
import classes from './Music.module.css'
import { barsOf, clockAt, countOf, csvOf, labelsOf, type Moments } from './moments.ts'

type Props = {
  channel: string
  date: string
  timeZone: string
  label: string
  onLabel: (label: string) => void
}

/** What listeners did along the day, as a picture with its numbers. */
export const MomentsChart = ({ channel, date, timeZone, label, onLabel }: Props) => {
  const read = useRead('/v5/timelines/moments', { query: { channel_id: channel, date } })
  const [showsNumbers, setShowsNumbers] = useState(false)
  const moments = read.data
  const hasSome = moments !== undefined && moments.total > 0
  return (
    <section className={classes.moments} aria-label={t.music.moments}>
      <Group justify="space-between" gap="sm" mih={30}>
        <Title order={2} size="h4">
          {t.music.moments}
        </Title>
        {hasSome && (
          <Group gap="sm">
            <NativeSelect
              size="xs"
              aria-label={t.music.interactions}
              value={label}
              onChange={(event) => onLabel(event.currentTarget.value)}
              data={[{ value: '', label: t.music.allInteractions }, ...labelsOf(moments)]}
            />
            <Button size="xs" variant="default" onClick={() => setShowsNumbers((held) => !held)}>
              {showsNumbers ? t.music.hideNumbers : t.music.numbers}
            </Button>
            <Button
              size="xs"
              variant="default"
              onClick={() =>
                saveFile(`moments-${date}.csv`, new Blob([csvOf(moments)], { type: 'text/csv' }))
              }
            >
              {t.music.download}
            </Button>
          </Group>
        )}
      </Group>
      {read.error ? (
        <Text size="sm" c="dimmed" role="alert">
          {explain(read.error)}
        </Text>
      ) : hasSome ? (
        <>
          <Chart moments={moments} date={date} timeZone={timeZone} label={label} />
          {showsNumbers && <Numbers moments={moments} />}
        </>
      ) : (
        <Text size="sm" c="dimmed">
          {moments ? t.music.noMoments : t.common.loading}
        </Text>
      )}
    </section>
  )
}

type ChartProps = { moments: Moments; date: string; timeZone: string; label: string }

const Chart = ({ moments, date, timeZone, label }: ChartProps) => {
  const [pointed, setPointed] = useState<number>()
  const small = useIsSmall('phone')
  const bounds = boundsOf(date, timeZone)
  const bars = barsOf(moments, bounds, label)
  const most = Math.max(1, ...bars)
  const total = bars.reduce((sum, bar) => sum + bar, 0)
  const clock = (bar: number) => clockAt(bounds.from, bar, timeZone)
  const now = (Date.now() - bounds.from) / (bounds.until - bounds.from)
  const step = small ? 24 : 12
  return (
    <>
      <Text size="xs" c="dimmed" className="figures" mih={17}>
        {pointed === undefined
          ? t.music.momentsHint
          : t.music.bar(clock(pointed), clock(pointed + 1), formatNumber(bars[pointed]!))}
      </Text>
      <div className={classes.chart}>
        <svg
          className={classes.bars}
          viewBox={`0 0 ${bars.length * 10} 100`}
          preserveAspectRatio="none"
          role="img"
          aria-label={t.music.momentsLabel(formatNumber(total), date)}
          onPointerMove={(event) => {
            const { left, width } = event.currentTarget.getBoundingClientRect()
            const place = Math.floor(((event.clientX - left) / width) * bars.length)
            setPointed(place in bars ? place : undefined)
          }}
          onPointerLeave={() => setPointed(undefined)}
        >
          {bars.map((bar, index) => (
            <rect
              key={index}
              x={index * 10 + 1}
              width={8}
              y={100 - (bar / most) * 96}
              height={(bar / most) * 96}
              data-pointed={index === pointed || undefined}
            />
          ))}
        </svg>
        {now > 0 && now < 1 && (
          <div className={classes.nowLine} style={{ insetInlineStart: `${now * 100}%` }} />
        )}
        {bars.map(
          (_, index) =>
            index % step === 0 &&
            index > 0 && (
              <span
                key={index}
                className={classes.hour}
                style={{ insetInlineStart: `${(index / bars.length) * 100}%` }}
                aria-hidden
              >
                {clock(index)}
              </span>
            ),
        )}
      </div>
    </>
  )
}

const Numbers = ({ moments }: { moments: Moments }) => {
  const labels = labelsOf(moments)
  return (
    <section className={classes.numbers} aria-label={t.music.numbers}>
      <Table fz="sm" stickyHeader>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t.music.what}</Table.Th>
            <Table.Th ta="right">{t.music.total}</Table.Th>
            {labels.map((label) => (
              <Table.Th key={label} ta="right">
                {label}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody className="figures">
          {moments.tracks.map((row) => (
            <Table.Tr key={row.track?.id ?? row.body}>
              <Table.Td dir="auto">{row.body}</Table.Td>
              <Table.Td ta="right">{formatNumber(row.total)}</Table.Td>
              {labels.map((label) => (
                <Table.Td key={label} ta="right">
                  {formatNumber(countOf(row, label))}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </section>
  )
}
