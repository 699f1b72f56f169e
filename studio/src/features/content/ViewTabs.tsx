import { ActionIcon, Menu } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { Marquee } from 'marquee-sdk'
import type { Address } from '../../address.ts'
import { api } from '../../api/client.ts'
import { refresh } from '../../api/queries.ts'
import { toast, toastError } from '../../components/toast.tsx'
import { t } from '../../texts/index.ts'
import classes from './Content.module.css'
import { SaveView } from './SaveView.tsx'
import { addressOf, builtIn, builtInName, queryOf, useViews } from './views.ts'

/** Views as tabs: those that are always there, saved ones, and what saves the present filters. */
export const ViewTabs = ({ address }: { address: Address }) => {
  const views = useViews('content')
  const active = address.view ?? 'all'
  const current = views.find(({ id }) => id === active)
  const query = queryOf(address)
  const isChanged = current ? sorted(current.query) !== sorted(query) : query !== ''
  return (
    <nav className={classes.tabs} aria-label={t.views.label}>
      {builtIn.map((name) => (
        <Tab
          key={name}
          name={builtInName(name)}
          search={name === 'all' ? {} : { view: name }}
          active={active === name}
        />
      ))}
      {views.map((view) => (
        <Tab
          key={view.id}
          name={view.name}
          search={{ ...addressOf(view.query), view: view.id }}
          active={active === view.id}
        />
      ))}
      {current && <ViewMenu view={current} />}
      {isChanged && <SaveView query={query} current={current} />}
    </nav>
  )
}

/** The order of filters does not tell views apart. */
const sorted = (query: string): string => [...new URLSearchParams(query)].map(String).sort().join('&')

const Tab = ({ name, search, active }: { name: string; search: Address; active: boolean }) => (
  <Link
    to="/content"
    search={search as never}
    className={classes.tab}
    aria-current={active ? 'page' : undefined}
    activeProps={{}}
  >
    {name}
  </Link>
)

const ViewMenu = ({ view }: { view: Marquee.View }) => {
  const { id, name, area, query, shared, position } = view
  const run = (work: () => Promise<unknown>, what: string) => async () => {
    try {
      await work()
      refresh('views')
    } catch (error) {
      toastError(what, error)
    }
  }
  const share = run(() => api.put('/views/{id}', { path: { id }, body: { shared: !shared } }), t.views.share)
  const bringBack = run(
    () => api.post('/views', { body: { area, name, query, shared, position } }),
    t.actions.undo,
  )
  const remove = run(async () => {
    await api.delete('/views/{id}', { path: { id } })
    toast(t.views.deleted(name), bringBack)
  }, t.actions.delete)
  return (
    <Menu position="bottom-start">
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size="sm" aria-label={t.views.options(name)}>
          <IconDots size={14} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={share}>{shared ? t.views.keepToMyself : t.views.share}</Menu.Item>
        <Menu.Item onClick={remove}>{t.actions.delete}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
