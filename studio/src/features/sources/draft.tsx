import { Button, Group } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { refresh } from '../../api/queries.ts'
import { toastError } from '../../components/toast.tsx'
import { useOpen } from '../../frame/links.ts'
import { t } from '../../texts/index.ts'
import { nameOfItem, type SourceItem } from './source.ts'

/** Makes a draft of an item, of the model that is named or the first that fits, and leads to it. */
export const useDraft = () => {
  const open = useOpen()
  const [isMaking, setMaking] = useState(false)
  const make = async (item: SourceItem, model?: string) => {
    setMaking(true)
    try {
      const body = model ? { model: { id: model } } : {}
      const made = await api.post('/v5/sources/items/{id}/publication', { path: { id: item.id }, body })
      refresh('sources', 'publications')
      sayWhere(nameOfItem(item), () => open('publications', made.publication!.id))
    } catch (error) {
      toastError(t.sources.drafting, error)
    } finally {
      setMaking(false)
    }
  }
  return { make, isMaking }
}

const sayWhere = (title: string, lead: () => void): void => {
  const id = crypto.randomUUID()
  const go = () => {
    notifications.hide(id)
    lead()
  }
  notifications.show({
    id,
    autoClose: 10_000,
    withBorder: true,
    closeButtonProps: { 'aria-label': t.actions.close },
    message: (
      <Group justify="space-between" wrap="nowrap">
        <span dir="auto">{t.sources.drafted(title.length > 80 ? `${title.slice(0, 80)}…` : title)}</span>
        <Button size="compact-sm" variant="subtle" onClick={go} flex="none">
          {t.sources.openDraft}
        </Button>
      </Group>
    ),
  })
}
