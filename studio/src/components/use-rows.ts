import { useHotkeys } from '@mantine/hooks'
import { type KeyboardEvent, type MouseEvent, type RefObject, useMemo, useRef, useState } from 'react'
import type { DataTableProps } from './DataTable.tsx'

/** What a row calls; the same object for as long as the table is there, so that rows need not be drawn again. */
export type RowHandle = {
  isActive: (index: number) => boolean
  activate: (index: number) => void
  click: (index: number, event: MouseEvent) => void
  key: (index: number, event: KeyboardEvent) => void
  choose: (id: string, index: number, range: boolean) => void
}

type Options<Row> = DataTableProps<Row> & {
  keyOf: (row: Row) => string
  scroller: RefObject<HTMLDivElement | null>
  scrollTo: (index: number) => void
}

const isInside = (target: EventTarget | null, selector: string): boolean =>
  target instanceof Element && target.closest(selector) !== null

/** Which row is walked to, and what keys and clicks do with it. */
export const useRows = <Row>(options: Options<Row>): RowHandle => {
  const [active, setActive] = useState(0)
  const current = useRef({ ...options, active })
  current.current = { ...options, active }
  const from = useRef(0)

  const handle = useMemo<RowHandle>(() => {
    const choose = (id: string, index: number, range: boolean) => {
      const { rows, chosen = new Set<string>(), onChoose, keyOf } = current.current
      const next = new Set(chosen)
      const [low, high] = [Math.min(from.current, index), Math.max(from.current, index)]
      if (range) for (const row of rows.slice(low, high + 1)) next.add(keyOf(row))
      else if (!next.delete(id)) next.add(id)
      from.current = index
      onChoose?.(next)
    }
    return {
      isActive: (index) => index === Math.min(current.current.active, current.current.rows.length - 1),
      activate: setActive,
      choose,
      click: (index, event) => {
        const { rows, onOpen, onChoose, keyOf } = current.current
        if (isInside(event.target, 'a, button, input, label')) return
        if (onChoose && (event.shiftKey || event.metaKey || event.ctrlKey))
          return choose(keyOf(rows[index]!), index, event.shiftKey)
        onOpen?.(rows[index]!)
      },
      key: (index, event) => {
        if (event.key !== 'Enter' || isInside(event.target, 'a, button, input')) return
        event.preventDefault()
        current.current.onOpen?.(current.current.rows[index]!)
      },
    }
  }, [])

  const walk = (step: number) => {
    const { rows, scroller, scrollTo, openKey, onOpen } = current.current
    const inTable = scroller.current?.contains(document.activeElement) ?? false
    const next = Math.max(0, Math.min(rows.length - 1, inTable ? active + step : active))
    setActive(next)
    scrollTo(next)
    requestAnimationFrame(() => {
      scroller.current
        ?.querySelector<HTMLElement>(`[role=row][data-index="${next}"]`)
        ?.focus({ preventScroll: true })
    })
    // What is open beside the table follows.
    if (openKey !== undefined && rows[next]) onOpen?.(rows[next])
  }
  const row = () => options.rows[Math.min(active, options.rows.length - 1)]
  const withRow = (work: (row: Row) => void) => () => {
    const found = row()
    if (found) work(found)
  }
  const mark = (range: boolean) =>
    withRow((found) => options.onChoose && handle.choose(options.keyOf(found), active, range))
  useHotkeys([
    ['J', () => walk(1)],
    ['K', () => walk(-1)],
    ['ArrowDown', () => walk(1)],
    ['ArrowUp', () => walk(-1)],
    ['X', mark(false)],
    ['shift+X', mark(true)],
    ['E', withRow((found) => options.onEdit?.(found))],
    ['Escape', () => (options.chosen?.size ? options.onChoose?.(new Set()) : options.onClose?.())],
  ])
  return handle
}
