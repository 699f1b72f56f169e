import { Checkbox, Progress } from '@mantine/core'
import { IconAlertTriangle, IconLock } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { formatBytes, formatDuration } from '../../components/format.ts'
import { t } from '../../texts/index.ts'
import { type Asset, nameOf } from './files.ts'
import classes from './Media.module.css'
import { Thumbnail } from './Thumbnail.tsx'
import { formatPercent } from './use-progress.ts'

type Props = {
  asset: Asset
  index: number
  progress: number
  chosen: boolean | undefined
  onToggle: () => void
  wrap: (inside: ReactNode) => ReactNode
}

export const AssetTile = ({ asset, index, progress, chosen, onToggle, wrap }: Props) => {
  const name = nameOf(asset)
  return (
    <div role="listitem" className={classes.tile} data-index={index} data-chosen={chosen || undefined}>
      {wrap(
        <>
          <Thumbnail asset={asset} />
          <span className={classes.tileText}>
            <span className={`${classes.tileName} ellipsis`} title={name}>
              {name}
            </span>
            <State asset={asset} progress={progress} />
          </span>
        </>,
      )}
      {chosen !== undefined && (
        <Checkbox
          className={classes.tileCheck}
          size="xs"
          aria-label={t.media.choose(name)}
          checked={chosen}
          onChange={onToggle}
        />
      )}
    </div>
  )
}

const State = ({ asset, progress }: { asset: Asset; progress: number }) => {
  const { status, label, storage_file: file } = asset
  if (status === 'processing')
    return (
      <span className={classes.tileFacts}>
        {t.media.processing(formatPercent(progress))}
        <Progress
          className={classes.tileProgress}
          size={3}
          value={progress * 100}
          aria-label={t.media.statuses.processing}
        />
      </span>
    )
  if (status === 'failed')
    return (
      <span className={classes.tileFacts} data-danger>
        <IconAlertTriangle size={12} aria-hidden /> {t.media.statuses.failed}
      </span>
    )
  const fact = file?.duration ? formatDuration(file.duration) : file?.size ? formatBytes(file.size) : ''
  return (
    <span className={`${classes.tileFacts} figures`}>
      {asset.private && <IconLock size={12} role="img" aria-label={t.media.isPrivate} />}
      {[t.media.labels[label], fact].filter(Boolean).join(' · ')}
    </span>
  )
}
