import { Stack, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { formatNumber } from '../../../components/format.ts'
import { RelativeTime } from '../../../components/RelativeTime.tsx'
import { t } from '../../../texts/index.ts'
import { type Asset, factsOf } from '../files.ts'
import classes from './Asset.module.css'

export const Facts = ({ asset }: { asset: Asset }) => {
  const { storage_file: file, details, created_by, updated_by } = asset
  const facts: [string, ReactNode][] = [
    [t.media.file, asset.original_name],
    [t.media.label, [...factsOf(asset), file?.mime_type].filter(Boolean).join(' · ')],
    [t.media.loudness, typeof details?.loudness === 'number' ? `${formatNumber(details.loudness)} LUFS` : ''],
    [t.media.createdOn, <Moment key="c" at={asset.created_on} by={created_by?.name} />],
    [t.media.changedOn, asset.changed_on && <Moment key="u" at={asset.changed_on} by={updated_by?.name} />],
  ]
  return (
    <Stack component="section" gap="sm">
      <Title order={2} size="h3">
        {t.media.file}
      </Title>
      <dl className={classes.facts}>
        {facts
          .filter(([, value]) => value)
          .map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
      </dl>
    </Stack>
  )
}

const Moment = ({ at, by }: { at: string; by: string | undefined }) => (
  <>
    <RelativeTime at={at} /> {by && t.media.by(by)}
  </>
)
