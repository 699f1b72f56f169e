import { Button, Popover, Stack, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { api } from '../../../api/client.ts'
import { refresh } from '../../../api/queries.ts'
import { faultsOf } from '../../../components/explain.ts'
import { toast, toastError } from '../../../components/toast.tsx'
import { useOpen } from '../../../frame/links.ts'
import { t } from '../../../texts/index.ts'
import { personName } from '../person.ts'

const blank = { first_name: '', last_name: '', email: '' }

/** The least that makes somebody findable; the rest is filled in on the person's own page. */
export const NewPerson = () => {
  const [opened, setOpened] = useState(false)
  const [typed, setTyped] = useState(blank)
  const [faults, setFaults] = useState<Record<string, string>>({})
  const open = useOpen()
  const set = (name: keyof typeof blank) => (event: { currentTarget: { value: string } }) =>
    setTyped({ ...typed, [name]: event.currentTarget.value })
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const { email, ...names } = typed
    try {
      const body = { ...names, ...(email && { emails: [email] }) }
      const person = await api.post('/persons', { body: body as never })
      setOpened(false)
      setTyped(blank)
      refresh('persons')
      toast(t.audience.added(personName(person)))
      open('persons', person.id)
    } catch (error) {
      setFaults(faultsOf(error))
      if (Object.keys(faultsOf(error)).length === 0) toastError(t.audience.add, error)
    }
  }
  return (
    <Popover opened={opened} onChange={setOpened} position="bottom-end" trapFocus width={300}>
      <Popover.Target>
        <Button size="xs" onClick={() => setOpened(!opened)}>
          {t.audience.add}
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <form onSubmit={submit}>
          <Stack gap="sm">
            <TextInput
              size="xs"
              label={t.audience.fields.first_name}
              value={typed.first_name}
              onChange={set('first_name')}
              error={faults.first_name}
              data-autofocus
            />
            <TextInput
              size="xs"
              label={t.audience.fields.last_name}
              value={typed.last_name}
              onChange={set('last_name')}
              error={faults.last_name}
            />
            <TextInput
              size="xs"
              type="email"
              label={t.audience.email}
              value={typed.email}
              onChange={set('email')}
              error={faults['emails.0'] ?? faults.emails}
            />
            <Button type="submit" size="xs">
              {t.audience.add}
            </Button>
          </Stack>
        </form>
      </Popover.Dropdown>
    </Popover>
  )
}
