import { Alert, Anchor, Progress, Text } from '@mantine/core'
import { lazy, Suspense } from 'react'
import { t } from '../../../texts/index.ts'
import { type Asset, addressOf, isPicture, originalOf, pictureOf } from '../files.ts'
import { formatPercent, useProgress } from '../use-progress.ts'
import classes from './Asset.module.css'
import { Picture } from './Picture.tsx'

const Player = lazy(() => import('./Player.tsx'))

/** What there is to see or hear. */
export const Preview = ({ asset, mayChange }: { asset: Asset; mayChange: boolean }) => {
  const progress = useProgress([asset]).get(asset.id) ?? asset.progress ?? 0
  if (asset.status === 'failed')
    return (
      <Alert color="red" title={t.media.failedTitle} variant="light">
        {asset.failure} {t.media.failedHint}
      </Alert>
    )
  if (asset.status !== 'ready')
    return (
      <div className={classes.waiting}>
        <Text size="sm">{t.media.stillProcessing}</Text>
        <Text size="sm" c="dimmed" className="figures">
          {t.media.processing(formatPercent(progress))}
        </Text>
        <Progress w={240} value={progress * 100} aria-label={t.media.statuses.processing} />
      </div>
    )
  if (isPicture(asset)) return <Picture asset={asset} mayChange={mayChange} />
  if (asset.label === 'PDF') return <FirstPage asset={asset} />
  return (
    <Suspense>
      <Player key={addressOf(asset, 'peaks.json') ?? asset.id} asset={asset} />
    </Suspense>
  )
}

const FirstPage = ({ asset }: { asset: Asset }) => {
  const page = pictureOf(asset, 1280)
  return (
    <>
      {page ? <img src={page} alt="" className={classes.document} /> : <Text>{t.media.noPreview}</Text>}
      <Anchor href={originalOf(asset)} size="sm" mt="md" display="block">
        {t.media.openOriginal}
      </Anchor>
    </>
  )
}
