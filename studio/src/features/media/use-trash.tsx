import { Button, Group, Modal, Text } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { api } from '../../api/client.ts'
import { formatNumber } from '../../components/format.ts'
import { toastError } from '../../components/toast.tsx'
import { t } from '../../texts/index.ts'
import { trashAssets } from './changes.ts'
import { type Asset, nameOf } from './files.ts'

type Used = { asset: Asset; total: number }

/** At once where nothing is lost by it; what is in use does not come back by an undo, so that is said before. */
export const useTrash = (onDone: () => void): [(assets: Asset[]) => Promise<void>, ReactNode] => {
  const [asked, setAsked] = useState<{ assets: Asset[]; used: Used[] }>()
  const run = async (assets: Asset[]) => {
    setAsked(undefined)
    if (await trashAssets(assets, t.media.trashedMany(formatNumber(assets.length)))) onDone()
  }
  const ask = async (assets: Asset[]) => {
    try {
      const used = await Promise.all(
        assets.map(async (asset) => {
          const { total } = await api.get('/assets/{id}/usage', { path: { id: asset.id } })
          return { asset, total }
        }),
      )
      const inUse = used.filter(({ total }) => total > 0)
      if (inUse.length === 0) await run(assets)
      else setAsked({ assets, used: inUse })
    } catch (error) {
      toastError(t.media.deleting, error)
    }
  }
  const [first] = asked?.used ?? []
  const isOne = asked?.assets.length === 1 && first !== undefined
  const dialog = (
    <Modal
      opened={asked !== undefined}
      onClose={() => setAsked(undefined)}
      title={isOne ? t.media.usedTitle(nameOf(first.asset)) : t.media.usedMany(asked?.used.length ?? 0)}
      closeButtonProps={{ 'aria-label': t.actions.close }}
    >
      <Text size="sm">{isOne ? t.media.usedHint(first.total) : t.media.usedManyHint}</Text>
      <Group justify="flex-end" mt="lg" gap="sm">
        <Button variant="default" onClick={() => setAsked(undefined)}>
          {t.actions.cancel}
        </Button>
        <Button color="red" onClick={() => asked && run(asked.assets)}>
          {t.media.toTrash}
        </Button>
      </Group>
    </Modal>
  )
  return [ask, dialog]
}
