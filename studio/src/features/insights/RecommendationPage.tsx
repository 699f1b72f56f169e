import { Tabs } from '@mantine/core'
import { useParams } from '@tanstack/react-router'
import { useAddress } from '../../address.ts'
import { useCan } from '../../api/access.ts'
import { useRead } from '../../api/queries.ts'
import { ErrorState } from '../../components/ErrorState.tsx'
import { PageHead } from '../../components/PageHead.tsx'
import { t } from '../../texts/index.ts'
import classes from './Insights.module.css'
import { Results } from './Results.tsx'
import { isBuiltIn, type Kind } from './recommendation.ts'
import { Settings } from './Settings.tsx'
import { TryOut } from './TryOut.tsx'

const parts = ['results', 'tryOut', 'settings'] as const

const RecommendationPage = () => {
  const { id } = useParams({ strict: false }) as { id: string }
  const [address, change] = useAddress()
  const can = useCan()
  const isNew = id === 'new'
  const own = isBuiltIn(id)
  const read = useRead('/recommendations/{id}', { path: { id } }, { enabled: !isNew && !own })
  if (read.error && !read.data)
    return <ErrorState title={t.insights.loadFailed} error={read.error} retry={read.refetch} />
  const type = own ? (id as Kind) : read.data?.type
  const name = own ? t.insights.types[id as Kind] : read.data?.name
  if (isNew)
    return (
      <div className={classes.page}>
        <PageHead title={t.insights.new} />
        <div className={classes.panel}>
          <Settings />
        </div>
      </div>
    )
  return (
    <div className={classes.page}>
      <PageHead
        title={name ?? t.common.loading}
        hint={own ? t.insights.builtIn : type && t.insights.types[type]}
      />
      <Tabs
        value={address.part ?? 'results'}
        onChange={(part) => change({ part: part === 'results' ? undefined : (part ?? undefined) })}
        keepMounted={false}
        className={classes.tabs}
      >
        <Tabs.List className={classes.parts}>
          {parts.map((part) => (
            <Tabs.Tab key={part} value={part}>
              {t.insights.parts[part]}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value="results" className={classes.panel}>
          <Results id={id} />
        </Tabs.Panel>
        <Tabs.Panel value="tryOut" className={classes.panel}>
          {type && <TryOut id={id} type={type} />}
        </Tabs.Panel>
        <Tabs.Panel value="settings" className={classes.panel}>
          {own && t.insights.builtInHint}
          {read.data && (
            <Settings key={id} recommendation={read.data} readOnly={!can('recommendations_publish')} />
          )}
        </Tabs.Panel>
      </Tabs>
    </div>
  )
}

export default RecommendationPage
