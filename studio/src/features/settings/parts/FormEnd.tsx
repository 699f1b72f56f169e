import { Button, Group } from '@mantine/core'
import type { ReactNode } from 'react'
import { t } from '../../../texts/index.ts'

/** What ends a form: what takes the record away at the left, what saves it at the right. */
export const FormEnd = ({
  save,
  busy,
  onRemove,
  removeText = t.actions.delete,
  children,
}: {
  save?: string | undefined
  busy?: boolean
  onRemove?: (() => void) | undefined
  removeText?: string
  children?: ReactNode
}) => (
  <Group justify="space-between" mt="md">
    <Group gap="sm">
      {onRemove && (
        <Button variant="default" onClick={onRemove}>
          {removeText}
        </Button>
      )}
      {children}
    </Group>
    {save && (
      <Button type="submit" loading={busy ?? false}>
        {save}
      </Button>
    )}
  </Group>
)
