import { useSortable } from '@dnd-kit/sortable'
import { CSS } from '@dnd-kit/utilities'
import { ActionIcon, Text } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconGripVertical, IconTrash } from '@tabler/icons-react'
import { memo, Suspense, useMemo } from 'react'
import { t } from '../../../texts/index.ts'
import type { Element, Field, Value } from '../saving/values.ts'
import classes from './Inputs.module.css'
import { InsertMenu, labelName } from './InsertMenu.tsx'
import { inputs } from './inputs.ts'

type Props = {
  element: Element
  place: number
  locale: string
  disabled: boolean
  onChange: (key: string, value: Value | null) => void
  onRemove: (key: string) => void
  onMove: (key: string, by: number) => void
  onInsert: (label: string, behind: string) => void
}

/** Alt and an arrow moves it, Delete on its handle removes it. */
export const ElementCard = memo(
  ({ element, place, locale, disabled, onChange, onRemove, onMove, onInsert }: Props) => {
    const { $key: key, label } = element
    const { setNodeRef, attributes, listeners, transform, transition, isDragging } = useSortable({ id: key })
    const field = useMemo<Field>(() => ({ api_id: key, label }), [key, label])
    const kind = labelName(label === 'Text' && element.format ? `Text:${element.format}` : label)
    const name = `${kind} ${place}`
    const Input = inputs[label]
    const keys = (event: React.KeyboardEvent) => {
      if (event.altKey && event.key === 'ArrowUp') onMove(key, -1)
      else if (event.altKey && event.key === 'ArrowDown') onMove(key, 1)
      else if (event.key === 'Delete' && event.target === event.currentTarget) onRemove(key)
      else return
      event.preventDefault()
    }
    return (
      <div
        ref={setNodeRef}
        role="group"
        aria-label={name}
        className={classes.element}
        data-dragged={isDragging || undefined}
        style={{ transform: CSS.Translate.toString(transform), transition: transition ?? undefined }}
      >
        <div className={classes.elementHead}>
          {!disabled && (
            <ActionIcon
              variant="subtle"
              color="gray"
              size="sm"
              className={classes.handle}
              data-handle={key}
              title={t.editor.handleHint}
              {...attributes}
              {...listeners}
              aria-label={t.editor.handle(name)}
              onKeyDown={keys}
            >
              <IconGripVertical size={14} aria-hidden />
            </ActionIcon>
          )}
          <Text size="xs" c="dimmed" flex={1}>
            {kind}
          </Text>
          {!disabled && (
            <>
              <Tool label={t.editor.moveUp(name)} onClick={() => onMove(key, -1)}>
                <IconArrowUp size={14} aria-hidden />
              </Tool>
              <Tool label={t.editor.moveDown(name)} onClick={() => onMove(key, 1)}>
                <IconArrowDown size={14} aria-hidden />
              </Tool>
              <InsertMenu compact label={t.editor.insertBelow(name)} onPick={(kind) => onInsert(kind, key)} />
              <Tool label={t.editor.removeItem(name)} onClick={() => onRemove(key)}>
                <IconTrash size={14} aria-hidden />
              </Tool>
            </>
          )}
        </div>
        <div className={classes.elementBody}>
          {Input && (
            <Suspense fallback={<div className={classes.waiting} />}>
              <Input
                value={element}
                onChange={(value) => onChange(key, value)}
                field={field}
                locale={locale}
                name={name}
                disabled={disabled}
                error={false}
              />
            </Suspense>
          )}
        </div>
      </div>
    )
  },
)

const Tool = ({
  label,
  onClick,
  children,
}: {
  label: string
  onClick: () => void
  children: React.ReactNode
}) => (
  <ActionIcon variant="subtle" color="gray" size="sm" aria-label={label} title={label} onClick={onClick}>
    {children}
  </ActionIcon>
)
