import { Button, Menu } from '@mantine/core'
import { IconChevronDown } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useCan } from '../../../api/access.ts'
import { api } from '../../../api/client.ts'
import { queryClient, refresh } from '../../../api/queries.ts'
import { download } from '../../../components/download.ts'
import { toast, toastError } from '../../../components/toast.tsx'
import { t } from '../../../texts/index.ts'
import { type Person, personName } from '../person.ts'
import { MergePerson } from './MergePerson.tsx'
import { TypedConfirmation } from './TypedConfirmation.tsx'

type Asked = 'merge' | 'anonymize' | 'erase'

/** What cannot be undone is asked for the typed name. */
export const PersonMenu = ({ person }: { person: Person }) => {
  const can = useCan()
  const navigate = useNavigate()
  const [asked, setAsked] = useState<Asked>()
  const { id } = person
  const name = personName(person)
  const close = () => setAsked(undefined)
  /** Nothing of somebody who is gone stays in the browser. */
  const leave = async () => {
    await navigate({ to: '/audience' })
    queryClient.removeQueries({ queryKey: ['choices', 'persons'] })
    refresh('segments')
    await queryClient.resetQueries({ queryKey: ['persons'] })
  }
  const anonymize = async () => {
    const anonymous = await api.put('/persons/{id}/anonymize', { path: { id } })
    toast(t.audience.anonymized(name))
    await leave()
    await navigate({ to: '/audience/persons/$id', params: { id: anonymous.id } as never })
  }
  const erase = async () => {
    await api.delete('/persons/{id}', { path: { id } })
    toast(t.audience.erased(name))
    await leave()
  }
  const exportAll = () =>
    download(`/persons/${encodeURIComponent(id)}/export`, 'person.json').catch((error) =>
      toastError(t.audience.exporting, error),
    )
  if (!can('persons_publish') && !can('persons_delete')) return null
  return (
    <>
      <Menu position="bottom-end" width={250}>
        <Menu.Target>
          <Button size="xs" variant="default" rightSection={<IconChevronDown size={14} aria-hidden />}>
            {t.audience.more}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {can('persons_publish') && <Menu.Item onClick={exportAll}>{t.audience.export}</Menu.Item>}
          {can('persons_publish') && (
            <Menu.Item onClick={() => setAsked('merge')}>{t.audience.merge}</Menu.Item>
          )}
          {can('persons_delete') && (
            <>
              <Menu.Divider />
              <Menu.Item onClick={() => setAsked('anonymize')}>{t.audience.anonymize}</Menu.Item>
              <Menu.Item c="var(--danger)" onClick={() => setAsked('erase')}>
                {t.audience.erase}
              </Menu.Item>
            </>
          )}
        </Menu.Dropdown>
      </Menu>
      <MergePerson person={person} opened={asked === 'merge'} onClose={close} />
      <TypedConfirmation
        opened={asked === 'anonymize'}
        onClose={close}
        title={t.audience.anonymizeTitle(name)}
        hint={t.audience.anonymizeHint}
        name={name}
        button={t.audience.anonymizeDo}
        run={anonymize}
      />
      <TypedConfirmation
        opened={asked === 'erase'}
        onClose={close}
        title={t.audience.eraseTitle(name)}
        hint={t.audience.eraseHint}
        name={name}
        button={t.audience.eraseDo}
        run={erase}
      />
    </>
  )
}
