import { Button, Group } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useSyncExternalStore } from 'react'
import { refresh } from '../../../api/queries.ts'
import { toastError } from '../../../components/toast.tsx'
import { t } from '../../../texts/index.ts'

/** Ids of what is about to go; lists leave them out. */
let going: ReadonlySet<string> = new Set()
const watchers = new Set<() => void>()
const become = (next: Set<string>): void => {
  going = next
  for (const watcher of watchers) watcher()
}

export const useGoing = (): ReadonlySet<string> =>
  useSyncExternalStore(
    (watcher) => {
      watchers.add(watcher)
      return () => watchers.delete(watcher)
    },
    () => going,
  )

const patience = 10_000

/**
 * For what cannot be brought back: it is done ten seconds later, when the notice is closed or the page is left, unless
 * it is undone before.
 */
export const removeLater = (id: string, message: string, kind: string, run: () => Promise<unknown>): void => {
  let isDone = false
  const settle = async (doIt: boolean) => {
    if (isDone) return
    isDone = true
    removeEventListener('pagehide', leave)
    notifications.hide(id)
    try {
      if (doIt) await run()
    } catch (error) {
      toastError(t.settings.deleting, error)
    }
    become(new Set([...going].filter((one) => one !== id)))
    refresh(kind)
  }
  const leave = () => settle(true)
  addEventListener('pagehide', leave)
  become(new Set([...going, id]))
  notifications.show({
    id,
    autoClose: patience,
    withBorder: true,
    closeButtonProps: { 'aria-label': t.actions.close },
    onClose: () => settle(true),
    message: (
      <Group justify="space-between" wrap="nowrap">
        <span>{message}</span>
        <Button size="compact-sm" variant="subtle" onClick={() => settle(false)}>
          {t.actions.undo}
        </Button>
      </Group>
    ),
  })
}
