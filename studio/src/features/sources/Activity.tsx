import { Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { api } from '../../api/client.ts'
import { formatNumber } from '../../components/format.ts'
import { language, t } from '../../texts/index.ts'
import classes from './Sources.module.css'

/** The last seven days in the viewer's zone, the oldest first. */
const days = (): Date[] => {
  const today = new Date()
  return Array.from(
    { length: 7 },
    (_, index) => new Date(today.getFullYear(), today.getMonth(), today.getDate() - 6 + index),
  )
}

const countOn = async (id: string, from: Date): Promise<number> => {
  const until = new Date(from.getFullYear(), from.getMonth(), from.getDate() + 1)
  const published_on = { gte: from.toISOString(), lt: until.toISOString() }
  const { total } = await api.get('/v5/sources/items', {
    query: { source_ids_or: [id], published_on, limit: 1 },
  })
  return total ?? 0
}

/** How much came in, day by day; the figures stand above their bars. */
export const Activity = ({ id }: { id: string }) => {
  const shown = days()
  const { data } = useQuery({
    queryKey: ['sources', 'activity', id, shown[0]!.toISOString()],
    queryFn: () => Promise.all(shown.map((day) => countOn(id, day))),
  })
  const most = Math.max(1, ...(data ?? []))
  const name = new Intl.DateTimeFormat(language, { weekday: 'short' })
  return (
    <section>
      <Title order={3} size="xs" c="dimmed" fw={500} mb="sm">
        {t.sources.lately}
      </Title>
      <ul className={classes.days}>
        {shown.map((day, index) => (
          <li key={day.toISOString()}>
            <span className="figures">{data ? formatNumber(data[index]!) : ' '}</span>
            <div className={classes.column} aria-hidden>
              <div
                className={classes.barOfDay}
                style={{ height: `${((data?.[index] ?? 0) / most) * 100}%` }}
              />
            </div>
            <span className={classes.day}>{name.format(day)}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}
