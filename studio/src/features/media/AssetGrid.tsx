import { useElementSize, useMergedRef } from '@mantine/hooks'
import { useVirtualizer } from '@tanstack/react-virtual'
import { type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react'
import { AssetTile } from './AssetTile.tsx'
import type { Asset } from './files.ts'
import classes from './Media.module.css'
import { useProgress } from './use-progress.ts'

type Props = {
  label: string
  assets: Asset[]
  chosen?: ReadonlySet<string>
  onChoose?: ((chosen: ReadonlySet<string>) => void) | undefined
  hasMore: boolean | undefined
  loadMore: () => void
  /** What a click on a tile is: a link, or a button. It is given the look of the tile. */
  wrap: (asset: Asset, index: number, inside: ReactNode) => ReactNode
  /** Where the list was scrolled to is known under this name while the Studio is open. */
  place?: string
}

const least = 172
const gap = 12
const places = new Map<string, number>()

/** Only what is in view is there. Arrow keys, J and K walk; X chooses. */
export const AssetGrid = ({
  label,
  assets,
  chosen,
  onChoose,
  hasMore,
  loadMore,
  wrap,
  place = '',
}: Props) => {
  const scroller = useRef<HTMLDivElement>(null)
  const { ref: measured, width } = useElementSize()
  const columns = Math.max(2, Math.floor((width + gap) / (least + gap)))
  const side = width > 0 ? (width - gap * (columns - 1)) / columns : least
  const height = Math.round(side * 0.75) + 56 + gap
  const virtual = useVirtualizer({
    count: Math.ceil(assets.length / columns),
    getScrollElement: () => scroller.current,
    estimateSize: () => height,
    overscan: 3,
    initialOffset: places.get(place) ?? 0,
    onChange: ({ scrollOffset }) => places.set(place, scrollOffset ?? 0),
  })
  useEffect(() => {
    if (height) virtual.measure()
  }, [virtual, height])
  const rows = virtual.getVirtualItems()
  const last = ((rows.at(-1)?.index ?? 0) + 1) * columns
  useEffect(() => {
    if (hasMore && last >= assets.length - columns) loadMore()
  }, [hasMore, last, assets.length, columns, loadMore])
  const first = (rows[0]?.index ?? 0) * columns
  const progress = useProgress(assets.slice(first, last))
  const toggle = (id: string) => {
    const next = new Set(chosen)
    if (!next.delete(id)) next.add(id)
    onChoose?.(next)
  }
  const focus = (index: number) => {
    virtual.scrollToIndex(Math.floor(index / columns))
    requestAnimationFrame(() =>
      scroller.current
        ?.querySelector<HTMLElement>(`[data-index="${index}"] a, [data-index="${index}"] button`)
        ?.focus(),
    )
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const target = (event.target as HTMLElement).closest<HTMLElement>('[data-index]')
    if (!target || event.metaKey || event.ctrlKey || event.altKey) return
    const index = Number(target.dataset.index)
    const steps = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -columns, ArrowDown: columns, k: -1, j: 1 }
    const step = steps[event.key as keyof typeof steps]
    if (event.key === 'x' && onChoose) toggle(assets[index]!.id)
    else if (event.key === 'Escape' && chosen?.size) onChoose?.(new Set())
    else if (step === undefined) return
    else if (assets[index + step]) focus(index + step)
    event.preventDefault()
  }
  return (
    <div ref={scroller} className={classes.scroller} role="list" aria-label={label} onKeyDown={onKeyDown}>
      <div
        ref={useMergedRef(measured)}
        role="presentation"
        className={classes.sheet}
        style={{ height: virtual.getTotalSize() }}
      >
        {rows.map((row) => (
          <div
            key={row.key}
            role="presentation"
            className={classes.tiles}
            style={{ transform: `translateY(${row.start}px)`, '--columns': columns } as never}
          >
            {assets.slice(row.index * columns, (row.index + 1) * columns).map((asset, at) => {
              const index = row.index * columns + at
              return (
                <AssetTile
                  key={asset.id}
                  asset={asset}
                  index={index}
                  progress={progress.get(asset.id) ?? asset.progress ?? 0}
                  chosen={onChoose ? (chosen?.has(asset.id) ?? false) : undefined}
                  onToggle={() => toggle(asset.id)}
                  wrap={(inside) => wrap(asset, index, inside)}
                />
              )
            })}
          </div>
        ))}
      </div>
    </div>
  )
}
