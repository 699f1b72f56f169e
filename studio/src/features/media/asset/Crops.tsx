import { Text, Title } from '@mantine/core'
import { t } from '../../../texts/index.ts'
import { type Asset, pictureOf } from '../files.ts'
import classes from './Asset.module.css'

const shapes: [string, number][] = [
  ['16:9', 16 / 9],
  ['4:3', 4 / 3],
  ['1:1', 1],
  ['9:16', 9 / 16],
]

/** Where the cut lies as a style says it: 0% is all the way to one end. The service cuts by the same rule. */
const position = (focal: number, shown: number): string => {
  if (shown >= 1) return '50%'
  const start = Math.min(1 - shown, Math.max(0, focal - shown / 2))
  return `${(start / (1 - shown)) * 100}%`
}

export const Crops = ({ asset, point }: { asset: Asset; point: { x: number; y: number } }) => {
  const { width, height } = asset.storage_file ?? {}
  if (!width || !height) return null
  const own = width / height
  return (
    <section className={classes.crops}>
      <Title order={2} size="sm" mb="sm">
        {t.media.crops}
      </Title>
      <div className={classes.shapes}>
        {shapes.map(([name, shape]) => (
          <figure key={name}>
            <img
              src={pictureOf(asset, 640)}
              alt=""
              style={{
                aspectRatio: shape,
                objectPosition: `${position(point.x, shape / own)} ${position(point.y, own / shape)}`,
              }}
            />
            <Text component="figcaption" size="xs" c="dimmed" className="figures">
              {name}
            </Text>
          </figure>
        ))}
      </div>
    </section>
  )
}
