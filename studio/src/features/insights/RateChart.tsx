import {
  Area,
  CartesianGrid,
  ComposedChart,
  Line,
  ResponsiveContainer,
  Tooltip,
  XAxis,
  YAxis,
} from 'recharts'
import { formatDay } from '../../components/format.ts'
import { t } from '../../texts/index.ts'
import classes from './Insights.module.css'
import { formatRate, type Insights, liftText } from './recommendation.ts'

type Day = Insights['days'][number]
type Point = Day & { band: [number, number] | null }

/** The interval of the difference, laid around the rate of the dummy that day. */
const pointOf = (day: Day): Point => {
  const { control, lift_low, lift_high } = day
  const known = control.ctr !== null && lift_low !== null && lift_high !== null
  return { ...day, band: known ? [control.ctr! * (1 + lift_low), control.ctr! * (1 + lift_high)] : null }
}

const at = (date: string): string => formatDay(`${date}T12:00:00`)

/** Dots, because a day alone between two days without figures would have no line. */
const RateChart = ({ days }: { days: Day[] }) => {
  const points = days.map(pointOf)
  const top = Math.max(
    ...points.flatMap(({ recommended, control }) => [recommended.ctr ?? 0, control.ctr ?? 0]),
  )
  return (
    <>
      <div className={classes.chart} role="img" aria-label={t.insights.chart}>
        <ResponsiveContainer width="100%" height="100%">
          <ComposedChart
            data={points}
            accessibilityLayer={false}
            margin={{ top: 8, right: 8, left: 0, bottom: 0 }}
          >
            <CartesianGrid vertical={false} stroke="var(--line)" />
            <XAxis
              dataKey="date"
              tickFormatter={at}
              tick={{ fill: 'var(--mantine-color-dimmed)' }}
              stroke="var(--line)"
              minTickGap={40}
            />
            <YAxis
              tickFormatter={formatRate}
              tick={{ fill: 'var(--mantine-color-dimmed)' }}
              stroke="var(--line)"
              width={64}
              domain={[0, top === 0 ? 1 : top * 1.6]}
              allowDataOverflow
            />
            <Tooltip content={<Tip />} isAnimationActive={false} />
            <Area
              dataKey="band"
              stroke="none"
              fill="var(--accent-text)"
              fillOpacity={0.18}
              isAnimationActive={false}
              activeDot={false}
            />
            <Line
              dataKey={({ control }: Point) => control.ctr}
              stroke="var(--mantine-color-dimmed)"
              strokeDasharray="5 4"
              strokeWidth={2}
              dot={{ r: 2, strokeDasharray: 'none' }}
              isAnimationActive={false}
            />
            <Line
              dataKey={({ recommended }: Point) => recommended.ctr}
              stroke="var(--accent-text)"
              strokeWidth={2}
              dot={{ r: 2 }}
              isAnimationActive={false}
            />
          </ComposedChart>
        </ResponsiveContainer>
      </div>
      <div className={classes.legend}>
        <span>
          <i className={classes.line} aria-hidden /> {t.insights.recommended}
        </span>
        <span>
          <i className={classes.dashed} aria-hidden /> {t.insights.control}
        </span>
        <span>
          <i className={classes.band} aria-hidden /> {t.insights.interval}
        </span>
      </div>
    </>
  )
}

type TipProps = { active?: boolean; payload?: readonly { payload?: Point }[] }

const Tip = ({ active, payload }: TipProps) => {
  const day = payload?.[0]?.payload
  if (!active || !day) return null
  return (
    <div className={classes.tip}>
      <b>{at(day.date)}</b>
      <div>
        {t.insights.recommended}: {formatRate(day.recommended.ctr)}
      </div>
      <div>
        {t.insights.control}: {formatRate(day.control.ctr)}
      </div>
      <div>
        {t.insights.difference}: {liftText(day)}
      </div>
    </div>
  )
}

export default RateChart
