import { Button, Group } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { t } from '../texts/index.ts'
import { explain } from './explain.ts'

/** Says what was done, for four seconds; with `undo` for ten, and a button that takes it back. */
export const toast = (message: string, undo?: () => unknown): void => {
  const id = crypto.randomUUID()
  const takeBack = async () => {
    notifications.hide(id)
    try {
      await undo!()
    } catch (error) {
      toastError(t.actions.undo, error)
    }
  }
  notifications.show({
    id,
    autoClose: undo ? 10_000 : 4000,
    withBorder: true,
    withCloseButton: true,
    closeButtonProps: { 'aria-label': t.actions.close },
    message: (
      <Group justify="space-between" wrap="nowrap">
        <span>{message}</span>
        {undo && (
          <Button size="compact-sm" variant="subtle" onClick={takeBack}>
            {t.actions.undo}
          </Button>
        )}
      </Group>
    ),
  })
}

/** Says what did not work, what was kept and what to do. */
export const toastError = (what: string, error: unknown): void => {
  notifications.show({
    title: t.errors.failed(what),
    message: explain(error),
    color: 'red',
    role: 'alert',
    autoClose: 10_000,
    withBorder: true,
    closeButtonProps: { 'aria-label': t.actions.close },
  })
}
