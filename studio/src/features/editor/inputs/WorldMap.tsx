import { ActionIcon } from '@mantine/core'
import { IconMinus, IconPlus } from '@tabler/icons-react'
import { geoEquirectangular, geoPath } from 'd3-geo'
import { useMemo, useState } from 'react'
import { feature } from 'topojson-client'
import type { GeometryCollection, Topology } from 'topojson-specification'
import atlas from 'world-atlas/countries-110m.json'
import { t } from '../../../texts/index.ts'
import classes from './Inputs.module.css'

type Place = [longitude: number, latitude: number]
type Props = { name: string; at: Place | null; disabled: boolean; onPick: (place: Place) => void }

/** At its smallest it shows all but Antarctica. */
const [width, height, whole] = [720, 260, 640]
const world = atlas as unknown as Topology<{ countries: GeometryCollection }>
const countries = feature(world, world.objects.countries)

const rounded = (degrees: number): number => Math.round(degrees * 10_000) / 10_000

/** Clicks name a place; keys use the numbers above. */
const WorldMap = ({ name, at, disabled, onPick }: Props) => {
  const [zoom, setZoom] = useState(1)
  const [centre, setCentre] = useState<Place>(at ?? [0, 12])
  const projection = useMemo(
    () =>
      geoEquirectangular()
        .scale((whole / (2 * Math.PI)) * zoom)
        .center(zoom === 1 ? [0, 12] : centre)
        .translate([width / 2, height / 2])
        .clipExtent([
          [0, 0],
          [width, height],
        ]),
    [zoom, centre],
  )
  const land = useMemo(() => geoPath(projection)(countries) ?? '', [projection])
  const point = at && projection(at)
  const step = (times: number) => {
    if (at) setCentre(at)
    setZoom((before) => Math.min(Math.max(before * times, 1), 64))
  }
  const pick = (event: React.MouseEvent<SVGSVGElement>) => {
    const box = event.currentTarget.getBoundingClientRect()
    const scale = Math.max(box.width / width, box.height / height)
    const x = width / 2 + (event.clientX - box.left - box.width / 2) / scale
    const y = height / 2 + (event.clientY - box.top - box.height / 2) / scale
    const place = projection.invert?.([x, y])
    if (place && Math.abs(place[1]) <= 90)
      onPick([rounded(((place[0] + 540) % 360) - 180), rounded(place[1])])
  }
  return (
    <>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the numbers beside it are the way by keys */}
      <svg
        className={classes.map}
        viewBox={`0 0 ${width} ${height}`}
        preserveAspectRatio="xMidYMid slice"
        role="img"
        aria-label={t.editor.mapOf(name)}
        onClick={disabled ? undefined : pick}
      >
        <path className={classes.land} d={land} />
        {point && <circle className={classes.point} cx={point[0]} cy={point[1]} r={6} />}
      </svg>
      <ActionIcon.Group orientation="vertical" className={classes.zoom}>
        <ActionIcon variant="default" size="sm" aria-label={t.editor.zoomIn} onClick={() => step(4)}>
          <IconPlus size={14} aria-hidden />
        </ActionIcon>
        <ActionIcon variant="default" size="sm" aria-label={t.editor.zoomOut} onClick={() => step(1 / 4)}>
          <IconMinus size={14} aria-hidden />
        </ActionIcon>
      </ActionIcon.Group>
    </>
  )
}

export default WorldMap
