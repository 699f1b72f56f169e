import { Button, Checkbox, Popover, Stack, TextInput } from '@mantine/core'
import type { Marquee } from 'marquee-sdk'
import { type FormEvent, useState } from 'react'
import { useAddress } from '../../address.ts'
import { useCan } from '../../api/access.ts'
import { api } from '../../api/client.ts'
import { refresh } from '../../api/queries.ts'
import { toast, toastError } from '../../components/toast.tsx'
import { t } from '../../texts/index.ts'

/** Keeps the present filters under a name; those of a view that is open can replace its own. */
export const SaveView = ({ query, current }: { query: string; current: Marquee.View | undefined }) => {
  const can = useCan()
  const [, change] = useAddress()
  const [open, setOpen] = useState(false)
  const [name, setName] = useState('')
  const [shared, setShared] = useState(false)

  const save = async (event: FormEvent) => {
    event.preventDefault()
    try {
      const view = await api.post('/views', { body: { area: 'content', name: name.trim(), query, shared } })
      setOpen(false)
      setName('')
      refresh('views')
      change({ view: view.id })
      toast(t.views.saved(view.name))
    } catch (error) {
      toastError(t.views.save, error)
    }
  }
  const update = async () => {
    const { id, query: before } = current!
    const put = (next: string) => api.put('/views/{id}', { path: { id }, body: { query: next } })
    try {
      await put(query)
      refresh('views')
      toast(t.views.saved(current!.name), () => put(before).then(() => refresh('views')))
    } catch (error) {
      toastError(t.views.update, error)
    }
  }
  return (
    <>
      {current && (
        <Button variant="subtle" size="compact-sm" onClick={update}>
          {t.views.update}
        </Button>
      )}
      <Popover opened={open} onChange={setOpen} position="bottom-start" trapFocus>
        <Popover.Target>
          <Button variant="subtle" size="compact-sm" onClick={() => setOpen((before) => !before)}>
            + {t.views.save}
          </Button>
        </Popover.Target>
        <Popover.Dropdown w={280}>
          <form onSubmit={save}>
            <Stack gap="md">
              <TextInput
                label={t.views.name}
                required
                withAsterisk={false}
                maxLength={100}
                data-autofocus
                value={name}
                onChange={(event) => setName(event.currentTarget.value)}
              />
              {can('publications_publish') && (
                <Checkbox
                  size="xs"
                  label={t.views.shared}
                  checked={shared}
                  onChange={(event) => setShared(event.currentTarget.checked)}
                />
              )}
              <Button type="submit">{t.views.save}</Button>
            </Stack>
          </form>
        </Popover.Dropdown>
      </Popover>
    </>
  )
}
