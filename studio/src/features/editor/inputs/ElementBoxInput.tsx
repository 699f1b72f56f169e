import {
  closestCenter,
  DndContext,
  type DragEndEvent,
  PointerSensor,
  useSensor,
  useSensors,
} from '@dnd-kit/core'
import { SortableContext, verticalListSortingStrategy } from '@dnd-kit/sortable'
import { useCallback, useRef } from 'react'
import { t } from '../../../texts/index.ts'
import { type Element, ownIds, type Value } from '../saving/values.ts'
import { ElementCard } from './ElementCard.tsx'
import { InsertMenu } from './InsertMenu.tsx'
import type { InputProps } from './input.ts'

/** A page put together from elements: dragged by a handle, moved by keys, inserted from a menu. */
const ElementBoxInput = ({ value, onChange, name, locale, disabled }: InputProps) => {
  const items = (value?.items ?? []) as Element[]
  const current = useRef({ items, onChange })
  current.current = { items, onChange }
  const box = useRef<HTMLDivElement>(null)
  const put = useCallback((change: (items: Element[]) => Element[]) => {
    const next = change(current.current.items)
    current.current.onChange(next.length === 0 ? null : { label: 'ElementBox', items: next })
  }, [])
  const change = useCallback(
    (key: string, inner: Value | null) =>
      put((items) =>
        items.map((one) => {
          if (one.$key !== key) return one
          const next = { ...(inner ?? emptied(one)), $key: key } as Element
          return ownIds.includes(one.label) ? next : { ...next, id: one.id! }
        }),
      ),
    [put],
  )
  const remove = useCallback((key: string) => put((items) => items.filter(({ $key }) => $key !== key)), [put])
  const move = useCallback(
    (key: string, by: number) => {
      put((items) => {
        const from = items.findIndex(({ $key }) => $key === key)
        const to = Math.min(Math.max(from + by, 0), items.length - 1)
        return items.toSpliced(from, 1).toSpliced(to, 0, items[from]!)
      })
      // The handle stays under the fingers.
      requestAnimationFrame(() =>
        box.current?.querySelector<HTMLElement>(`[data-handle="${CSS.escape(key)}"]`)?.focus(),
      )
    },
    [put],
  )
  const insert = useCallback(
    (label: string, behind?: string) => {
      const element = { ...blank(label), $key: crypto.randomUUID() } as Element
      put((items) => {
        const at = behind ? items.findIndex(({ $key }) => $key === behind) + 1 : items.length
        return items.toSpliced(at, 0, element)
      })
    },
    [put],
  )
  const sensors = useSensors(useSensor(PointerSensor, { activationConstraint: { distance: 4 } }))
  const drop = ({ active, over }: DragEndEvent) => {
    if (!over || active.id === over.id) return
    const keys = items.map(({ $key }) => $key)
    move(String(active.id), keys.indexOf(String(over.id)) - keys.indexOf(String(active.id)))
  }
  return (
    <div ref={box}>
      <DndContext sensors={sensors} collisionDetection={closestCenter} onDragEnd={drop}>
        <SortableContext items={items.map(({ $key }) => $key)} strategy={verticalListSortingStrategy}>
          <div role="group" aria-label={name}>
            {items.map((element, index) => (
              <ElementCard
                key={element.$key}
                element={element}
                place={index + 1}
                locale={locale}
                disabled={disabled}
                onChange={change}
                onRemove={remove}
                onMove={move}
                onInsert={insert}
              />
            ))}
          </div>
        </SortableContext>
      </DndContext>
      {!disabled && <InsertMenu label={t.editor.addElement} onPick={insert} />}
    </div>
  )
}

/** What an element is before anything is in it. */
const blank = (label: string): Value => {
  const [type, format] = label.split(':') as [string, string | undefined]
  if (type === 'Text') return { label: 'Text', body: '', format: format ?? null }
  return ['ElementBox', 'Publication', 'Asset', 'Person', 'TagBox', 'BusinessHours'].includes(type)
    ? { label: type, items: [] }
    : { label: type }
}

const emptied = ({ label, format }: Element): Value =>
  label === 'Text' && typeof format === 'string' ? blank(`Text:${format}`) : blank(label)

export default ElementBoxInput
