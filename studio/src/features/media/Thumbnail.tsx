import { IconFileTypePdf, IconMusic, IconPhoto, IconVideo } from '@tabler/icons-react'
import { useState } from 'react'
import { type Asset, pictureOf } from './files.ts'
import classes from './Media.module.css'

const icons = { Photo: IconPhoto, Cover: IconPhoto, Audio: IconMusic, Video: IconVideo, PDF: IconFileTypePdf }

/** What can be seen of it, or what it is. Its name stands beside it, so it has no text of its own. */
export const Thumbnail = ({ asset, width = 320 }: { asset: Asset; width?: number }) => {
  const [broken, setBroken] = useState<string>()
  const url = pictureOf(asset, width)
  const Icon = icons[asset.label] ?? IconPhoto
  const colour = asset.details?.colour
  const point = asset.focal_point
  if (!url || url === broken)
    return (
      <span className={classes.thumbnail}>
        <Icon size={width > 100 ? 32 : 16} stroke={1.5} aria-hidden />
      </span>
    )
  return (
    <span
      className={classes.thumbnail}
      style={typeof colour === 'string' ? { backgroundColor: colour } : undefined}
    >
      <img
        src={url}
        alt=""
        loading="lazy"
        decoding="async"
        onError={() => setBroken(url)}
        style={point ? { objectPosition: `${point.x * 100}% ${point.y * 100}%` } : undefined}
      />
    </span>
  )
}
