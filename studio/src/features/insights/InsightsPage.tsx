import { Button } from '@mantine/core'
import { Link, useNavigate } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useCan } from '../../api/access.ts'
import { usePages, useRead } from '../../api/queries.ts'
import { type Column, DataTable } from '../../components/DataTable.tsx'
import { ErrorState } from '../../components/ErrorState.tsx'
import { formatNumber } from '../../components/format.ts'
import { PageHead } from '../../components/PageHead.tsx'
import { StatusMark } from '../../components/StatusMark.tsx'
import { t } from '../../texts/index.ts'
import classes from './Insights.module.css'
import { builtIn, formatRate, type Insights, type Kind, liftText } from './recommendation.ts'

type Row = { id: string; name: string; type: Kind; isBuiltIn: boolean }

const useInsights = (id: string): Insights | undefined =>
  useRead('/recommendations/{id}/insights', { path: { id } }).data

/** Each row asks for its own figures; there are few. */
const Figure = ({ id, show }: { id: string; show: (insights: Insights) => string }) => {
  const insights = useInsights(id)
  return <span className="figures">{insights ? show(insights) : ''}</span>
}

const State = ({ id }: { id: string }) => {
  const insights = useInsights(id)
  if (!insights) return null
  return insights.fallback ? (
    <StatusMark meaning="danger">{t.insights.states.fallback}</StatusMark>
  ) : (
    <StatusMark meaning="done">{t.insights.states.recommended}</StatusMark>
  )
}

const columnsOf = (): Column<Row>[] => [
  {
    key: 'name',
    title: t.insights.name,
    width: 'minmax(180px, 2fr)',
    small: 'first',
    render: (row) => (
      <Link to="/insights/$id" params={{ id: row.id } as never} className={`${classes.name} ellipsis`}>
        <bdi>{row.name}</bdi>
      </Link>
    ),
  },
  {
    key: 'type',
    keep: 1,
    title: t.insights.type,
    width: 'minmax(140px, 1fr)',
    render: (row) => (row.isBuiltIn ? t.insights.builtIn : t.insights.types[row.type]),
  },
  {
    key: 'shown',
    keep: 2,
    title: t.insights.shown,
    width: '100px',
    align: 'right',
    render: ({ id }) => <Figure id={id} show={({ impressions }) => formatNumber(impressions)} />,
  },
  {
    key: 'ctr',
    keep: 4,
    title: t.insights.ctr,
    width: '110px',
    align: 'right',
    small: 'second',
    render: ({ id }) => <Figure id={id} show={({ recommended }) => formatRate(recommended.ctr)} />,
  },
  {
    key: 'lift',
    keep: 5,
    title: t.insights.against,
    width: 'minmax(200px, 1fr)',
    small: 'second',
    render: ({ id }) => <Figure id={id} show={liftText} />,
  },
  { key: 'state', keep: 3, title: t.insights.state, width: '190px', render: ({ id }) => <State id={id} /> },
]

const InsightsPage = () => {
  const can = useCan()
  const navigate = useNavigate()
  const columns = useMemo(columnsOf, [])
  const list = usePages('/recommendations', { sort: 'name' }, { limit: 100 })
  const rows: Row[] = [
    ...builtIn.map((id) => ({ id, name: t.insights.types[id], type: id, isBuiltIn: true })),
    ...list.rows.map(({ id, name, type }) => ({ id, name, type, isBuiltIn: false })),
  ]
  const open = ({ id }: Row) => navigate({ to: '/insights/$id', params: { id } as never })
  return (
    <div className={classes.page}>
      <PageHead title={t.areas.insights} hint={t.insights.recommendations}>
        {can('recommendations_publish') && (
          <Button size="xs" component={Link} {...({ to: '/insights/$id', params: { id: 'new' } } as object)}>
            {t.insights.new}
          </Button>
        )}
      </PageHead>
      <div className={classes.split}>
        <div className={classes.list}>
          {list.error ? (
            <ErrorState error={list.error} retry={list.retry} />
          ) : (
            <DataTable
              label={t.insights.recommendations}
              rows={rows}
              columns={columns}
              nameOf={({ name }) => name}
              total={rows.length}
              hasMore={list.hasMore}
              loadMore={list.loadMore}
              onOpen={open}
              onEdit={open}
            />
          )}
        </div>
      </div>
    </div>
  )
}

export default InsightsPage
