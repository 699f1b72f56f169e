import { Skeleton, Stack } from '@mantine/core'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useAddress } from '../../address.ts'
import { useEnvironment } from '../../api/access.ts'
import { ErrorState } from '../../components/ErrorState.tsx'
import { t } from '../../texts/index.ts'
import { Desk } from './Desk.tsx'
import classes from './Editor.module.css'
import { StoreContext } from './saving/store.ts'
import { type Opened, useWork } from './use-work.ts'

/** One publication, made from its model. `new` is one that is made by the first thing typed. */
const EditorPage = () => {
  const { id } = useParams({ strict: false }) as { id: string }
  const [address] = useAddress()
  const environment = useEnvironment()
  const { opened, error } = useWork(
    environment && {
      environment: environment.id,
      locale: environment.default_locale,
      id: id === 'new' ? undefined : id,
      model: id === 'new' ? address.model : undefined,
    },
  )
  if (error) return <ErrorState title={t.content.loadFailed} error={error} retry={() => location.reload()} />
  if (!opened || !environment) return <Loading />
  return (
    <StoreContext value={opened.work.store}>
      <Address opened={opened} />
      <Desk
        key={opened.work.key}
        opened={opened}
        locales={environment.locales}
        first={environment.default_locale}
      />
    </StoreContext>
  )
}

/** Once it is made it has an address of its own. */
const Address = ({ opened: { work } }: { opened: Opened }) => {
  const navigate = useNavigate()
  const { id } = useParams({ strict: false }) as { id: string }
  useEffect(() => {
    const look = () => {
      if (id !== 'new' || !work.id()) return
      const search = (before: Record<string, string>) => ({ ...before, model: undefined })
      navigate({ to: '/content/$id', params: { id: work.id() }, search, replace: true } as never)
    }
    look()
    return work.store.watch('$facts', look)
  }, [work, id, navigate])
  return null
}

const Loading = () => (
  <div className={classes.paper} role="status" aria-label={t.common.loading}>
    <Stack className={classes.column} gap="xl">
      <Skeleton height={40} width="70%" />
      <Skeleton height={120} />
      <Skeleton height={40} />
      <Skeleton height={120} />
    </Stack>
  </div>
)

export default EditorPage
