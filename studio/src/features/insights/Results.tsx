import { Alert, Group, NativeSelect, Skeleton, Stack, Text } from '@mantine/core'
import { lazy, Suspense } from 'react'
import { useAddress } from '../../address.ts'
import { useRead } from '../../api/queries.ts'
import { EmptyState } from '../../components/EmptyState.tsx'
import { ErrorState } from '../../components/ErrorState.tsx'
import { formatNumber } from '../../components/format.ts'
import { type Meaning, StatusMark } from '../../components/StatusMark.tsx'
import { t } from '../../texts/index.ts'
import classes from './Insights.module.css'
import { Numbers } from './Numbers.tsx'
import { formatLift, formatRate, type Insights, verdict } from './recommendation.ts'

const RateChart = lazy(() => import('./RateChart.tsx'))

const meanings: Record<ReturnType<typeof verdict>, Meaning> = {
  better: 'done',
  worse: 'danger',
  unclear: 'waiting',
  noComparison: 'none',
}

/** What came of a recommendation: the whole, by day as a picture, and the numbers behind it. */
export const Results = ({ id }: { id: string }) => {
  const [address, change] = useAddress()
  const days = address.days ?? '28'
  const read = useRead('/recommendations/{id}/insights', { path: { id }, query: { days } })
  const insights = read.data
  if (read.error && !insights)
    return <ErrorState title={t.insights.loadFailed} error={read.error} retry={read.refetch} />
  if (!insights) return <Skeleton height={320} />
  return (
    <Stack gap="xl" maw={980}>
      <NativeSelect
        size="xs"
        w={180}
        aria-label={t.insights.days}
        value={days}
        onChange={({ currentTarget: { value } }) => change({ days: value === '28' ? undefined : value })}
        data={[7, 28, 90].map((count) => ({ value: String(count), label: t.insights.lastDays(count) }))}
      />
      {insights.fallback && (
        <Alert color="red" variant="light">
          {t.insights.gaveWay(formatLift(insights.fallback.lift))}
        </Alert>
      )}
      {insights.impressions === 0 ? (
        <EmptyState title={t.insights.nothing} hint={t.insights.nothingHint} />
      ) : (
        <Shown insights={insights} id={id} />
      )}
      {insights.anonymous_impressions > 0 && (
        <Text size="xs" c="dimmed">
          {t.insights.anonymous(formatNumber(insights.anonymous_impressions))}
        </Text>
      )}
    </Stack>
  )
}

const Shown = ({ insights, id }: { insights: Insights; id: string }) => {
  const { recommended, control, lift, lift_low, lift_high } = insights
  const told = verdict(insights)
  return (
    <>
      <dl className={classes.figures}>
        <Figure title={`${t.insights.ctr}: ${t.insights.recommended}`} {...recommended} />
        <Figure title={`${t.insights.ctr}: ${t.insights.control}`} {...control} />
        <div>
          <dt>{t.insights.difference}</dt>
          <dd>
            {formatLift(lift)}
            {lift !== null && (
              <small>
                {t.insights.interval}: {formatLift(lift_low)} – {formatLift(lift_high)}
              </small>
            )}
          </dd>
        </div>
      </dl>
      <Group gap="sm" wrap="nowrap" align="baseline">
        <StatusMark meaning={meanings[told]} />
        <Text size="sm">{t.insights[told]}</Text>
      </Group>
      <figure style={{ margin: 0 }}>
        <figcaption>
          <Text fw={600}>{t.insights.chart}</Text>
          <Text size="xs" c="dimmed" mb="sm">
            {t.insights.chartHint}
          </Text>
        </figcaption>
        <Suspense fallback={<Skeleton height={310} />}>
          <RateChart days={insights.days} />
        </Suspense>
      </figure>
      <Numbers id={id} days={insights.days} />
    </>
  )
}

type Side = { title: string; impressions: number; clicks: number; ctr: number | null }

const Figure = ({ title, impressions, clicks, ctr }: Side) => (
  <div>
    <dt>{title}</dt>
    <dd>
      {formatRate(ctr)}
      <small>
        {formatNumber(clicks)} / {formatNumber(impressions)}
      </small>
    </dd>
  </div>
)
