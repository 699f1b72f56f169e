import { Button, Group, Text } from '@mantine/core'
import { type KeyboardEvent, type MouseEvent, useEffect, useRef, useState } from 'react'
import { useEnvironment } from '../../../api/access.ts'
import { t } from '../../../texts/index.ts'
import { changeAsset } from '../changes.ts'
import { type Asset, pictureOf } from '../files.ts'
import { formatPercent } from '../use-progress.ts'
import classes from './Asset.module.css'
import { Crops } from './Crops.tsx'

type Point = { x: number; y: number }
const middle = { x: 0.5, y: 0.5 }
const within = (part: number): number => Math.min(1, Math.max(0, Math.round(part * 1000) / 1000))
const steps: Record<string, Point> = {
  ArrowLeft: { x: -0.02, y: 0 },
  ArrowRight: { x: 0.02, y: 0 },
  ArrowUp: { x: 0, y: -0.02 },
  ArrowDown: { x: 0, y: 0.02 },
}

const shapeOf = ({ storage_file: file }: Asset): number =>
  file?.width && file.height ? file.width / file.height : 1

/** The picture with its focal point, and what is left of it in the usual shapes. */
export const Picture = ({ asset, mayChange }: { asset: Asset; mayChange: boolean }) => {
  const locale = useEnvironment()?.default_locale ?? ''
  const [moved, setMoved] = useState<Point>()
  const timer = useRef<number>(undefined)
  const known = asset.focal_point
  const point = moved ?? known ?? middle
  // What was moved counts until the service says the same or something else.
  useEffect(() => {
    if (known !== undefined) setMoved(undefined)
  }, [known])
  const save = (focal_point: Point | null) => changeAsset(asset, { focal_point }, t.media.focalSet)
  const place = (event: MouseEvent) => {
    if (event.detail === 0) return
    const box = event.currentTarget.getBoundingClientRect()
    const next = {
      x: within((event.clientX - box.left) / box.width),
      y: within((event.clientY - box.top) / box.height),
    }
    setMoved(next)
    save(next)
  }
  const nudge = (event: KeyboardEvent) => {
    const step = steps[event.key]
    if (!step) return
    event.preventDefault()
    const next = { x: within(point.x + step.x), y: within(point.y + step.y) }
    setMoved(next)
    clearTimeout(timer.current)
    timer.current = window.setTimeout(() => save(next), 600)
  }
  const url = pictureOf(asset, 1280)
  return (
    <>
      <button
        type="button"
        className={classes.picture}
        disabled={!mayChange}
        onClick={place}
        onKeyDown={nudge}
        aria-label={t.media.focalLabel(formatPercent(point.x), formatPercent(point.y))}
      >
        <img
          src={url}
          alt={asset.alt[locale] ?? ''}
          draggable={false}
          width={asset.storage_file?.width ?? undefined}
          height={asset.storage_file?.height ?? undefined}
          style={{ '--shape': shapeOf(asset) } as never}
        />
        <span
          className={classes.focal}
          data-set={known !== null || undefined}
          style={{ left: `${point.x * 100}%`, top: `${point.y * 100}%` }}
        />
      </button>
      {mayChange && (
        <Group gap="sm" mt="sm" mih={26}>
          <Text size="xs" c="dimmed">
            {t.media.focalHint}
          </Text>
          {known && (
            <Button size="compact-xs" variant="subtle" onClick={() => save(null)}>
              {t.media.focalReset}
            </Button>
          )}
        </Group>
      )}
      <Crops asset={asset} point={point} />
    </>
  )
}
