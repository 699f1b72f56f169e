import { Button, Group, Text } from '@mantine/core'
import { lazy, Suspense, useState } from 'react'
import { api } from '../../../api/client.ts'
import { refresh } from '../../../api/queries.ts'
import { toast, toastError } from '../../../components/toast.tsx'
import { t } from '../../../texts/index.ts'
import { Thumbnail } from '../../media/Thumbnail.tsx'
import classes from '../Music.module.css'
import type { Kind, Music } from './record.ts'

const AssetPicker = lazy(async () => ({ default: (await import('../../media/AssetPicker.tsx')).AssetPicker }))

type Props = { kind: Kind; music: Music; isFixed: boolean }

/** Its picture, chosen from the library or uploaded; kept at once. */
export const Cover = ({ kind, music, isFixed }: Props) => {
  const [isPicking, setPicking] = useState(false)
  const put = async (cover: { id: string } | null) => {
    await api.put(`/v5/${kind}/{id}`, { path: { id: music.id }, body: { cover } } as never)
    refresh(kind)
  }
  const choose = async (cover: { id: string } | null) => {
    const before = music.cover ? { id: music.cover.id } : null
    try {
      await put(cover)
      toast(t.music.recordSaved(music.body), () => put(before))
    } catch (error) {
      toastError(t.music.savingRecord, error)
    }
  }
  return (
    <Group wrap="nowrap" align="flex-start">
      <div className={classes.bigCover}>{music.cover && <Thumbnail asset={music.cover} width={160} />}</div>
      <Group gap="xs">
        {!music.cover && (
          <Text size="sm" c="dimmed" w="100%">
            {t.music.noCover}
          </Text>
        )}
        {!isFixed && (
          <Button size="xs" variant="default" onClick={() => setPicking(true)}>
            {music.cover ? t.music.changeCover : t.music.chooseCover}
          </Button>
        )}
        {!isFixed && music.cover && (
          <Button size="xs" variant="default" onClick={() => choose(null)}>
            {t.actions.remove}
          </Button>
        )}
      </Group>
      {isPicking && (
        <Suspense>
          <AssetPicker
            opened
            title={t.music.chooseCover}
            labels={labels}
            onClose={() => setPicking(false)}
            onPick={([asset]) => asset && choose({ id: asset.id })}
          />
        </Suspense>
      )}
    </Group>
  )
}

const labels = ['Photo', 'Cover'] as const
