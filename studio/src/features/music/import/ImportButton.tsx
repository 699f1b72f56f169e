import { Button, Modal } from '@mantine/core'
import { useState } from 'react'
import { t } from '../../../texts/index.ts'
import { ImportForm } from './ImportForm.tsx'
import type { Kind } from './run.ts'

type Props = { kind: Kind; channel?: string; channels?: { id: string; name: string }[] }

export const ImportButton = ({ kind, channel = '', channels = [] }: Props) => {
  const [opened, setOpened] = useState(false)
  const titles = {
    timelines: t.music.importLog,
    tracks: t.music.importTracks,
    artists: t.music.importArtists,
  }
  const close = () => setOpened(false)
  return (
    <>
      <Button size="xs" variant="default" onClick={() => setOpened(true)}>
        {t.music.import}
      </Button>
      <Modal
        opened={opened}
        onClose={close}
        title={titles[kind]}
        size="lg"
        closeButtonProps={{ 'aria-label': t.actions.close }}
      >
        <ImportForm kind={kind} channel={channel} channels={channels} onDone={close} />
      </Modal>
    </>
  )
}
