import { Button, Modal, Stack, Text, TextInput } from '@mantine/core'
import { type FormEvent, type ReactNode, useState } from 'react'
import { toastError } from '../../../components/toast.tsx'
import { t } from '../../../texts/index.ts'

type Props = {
  opened: boolean
  onClose: () => void
  title: string
  hint: string
  /** What has to be typed; without one nothing can be done yet. */
  name: string | undefined
  button: string
  run: () => Promise<unknown>
  children?: ReactNode
}

/** Spaces and case are no reason to fail. */
const alike = (text: string): string => text.trim().replaceAll(/\s+/g, ' ').toLowerCase()

/** For what is gone for good. */
export const TypedConfirmation = ({ opened, onClose, title, hint, name, button, run, children }: Props) => {
  const [typed, setTyped] = useState('')
  const [busy, setBusy] = useState(false)
  const close = () => {
    setTyped('')
    onClose()
  }
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setBusy(true)
    try {
      await run()
      close()
    } catch (error) {
      toastError(button, error)
    } finally {
      setBusy(false)
    }
  }
  const isRight = name !== undefined && alike(typed) === alike(name)
  return (
    <Modal opened={opened} onClose={close} title={title} closeButtonProps={{ 'aria-label': t.actions.close }}>
      <form onSubmit={submit}>
        <Stack gap="md">
          <Text size="sm">{hint}</Text>
          {children}
          {name !== undefined && (
            <TextInput
              data-autofocus
              label={t.audience.typeName(name)}
              value={typed}
              onChange={(event) => setTyped(event.currentTarget.value)}
              autoComplete="off"
            />
          )}
          <Button type="submit" color="red" disabled={!isRight} loading={busy}>
            {button}
          </Button>
        </Stack>
      </form>
    </Modal>
  )
}
