import { ActionIcon, Menu } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useCan } from '../../api/access.ts'
import { api } from '../../api/client.ts'
import { refresh } from '../../api/queries.ts'
import { toast, toastError } from '../../components/toast.tsx'
import { t } from '../../texts/index.ts'
import { shortName } from './names.ts'
import { bodyOf, localeKey } from './saving/keys.ts'
import { discard, openLocales } from './saving/publish.ts'
import { useFacts } from './saving/state.ts'
import { isSame } from './saving/values.ts'
import type { Opened } from './use-work.ts'

type Props = {
  opened: Opened
  name: string
  locale: string
  locales: string[]
  onPublish: (locales: string[]) => void
}

/** What is done less often than publishing. */
export const MoreMenu = ({ opened: { work }, name, locale, locales, onPublish }: Props) => {
  const can = useCan()
  const facts = useFacts()
  const navigate = useNavigate()
  const { id } = facts
  if (!id || !can('publications_publish')) return null
  const open = openLocales(facts)
  const attempt = async (what: string, run: () => Promise<unknown>) => {
    try {
      await run()
    } catch (error) {
      toastError(what, error)
    }
  }
  const withdraw = () =>
    attempt(t.editor.withdrawing, async () => {
      await setStatus('In progress')
      toast(t.editor.withdrawn(shortName(locale, locales)), () => setStatus('Done'))
    })
  const setStatus = async (body: string) => {
    await api.put('/publications/{id}', { path: { id }, body: { status: { [locale]: { body } } } })
    await work.reread()
  }
  const throwAway = () =>
    attempt(t.editor.discarding, async () => {
      if (!(await work.save())) return
      const { store } = work
      const before = new Map([...store.base].filter(([key]) => !key.startsWith('slug')))
      await discard(work)
      const changed = new Map([...before].filter(([key, value]) => !isSame(store.base.get(key), value)))
      toast(t.editor.discarded, async () => {
        const body = bodyOf(changed, facts.locales[0] ?? locale, new Map())
        await api.put('/publications/{id}', { path: { id }, query: { draft: true }, body: body as object })
        await work.reread()
      })
    })
  const remove = () =>
    attempt(t.content.deleting, async () => {
      await work.save()
      await api.delete('/publications/{id}', { path: { id } })
      refresh('publications')
      navigate({ to: '/content' })
      toast(t.content.deleted(name), async () => {
        await api.post('/publications/{id}/restore', { path: { id } })
        refresh('publications')
      })
    })
  const isDone =
    (work.store.values.get(localeKey('status', locale)) as { body?: string } | null)?.body === 'Done'
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="default" size={36} aria-label={t.editor.more}>
          <IconDots size={16} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {open.length > 1 && (
          <Menu.Item onClick={() => onPublish(open)}>
            {t.editor.publishAll(open.map((one) => shortName(one, locales)).join(', '))}
          </Menu.Item>
        )}
        <Menu.Item disabled={!isDone} onClick={withdraw}>
          {t.editor.withdraw(shortName(locale, locales))}
        </Menu.Item>
        <Menu.Item disabled={Object.keys(facts.draft).length === 0} onClick={throwAway}>
          {t.editor.discard}
        </Menu.Item>
        {can('publications_delete') && (
          <>
            <Menu.Divider />
            <Menu.Item color="var(--danger)" onClick={remove}>
              {t.content.delete}
            </Menu.Item>
          </>
        )}
      </Menu.Dropdown>
    </Menu>
  )
}
