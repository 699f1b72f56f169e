import { Button, Group } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { api } from '../../api/client.ts'
import { refresh } from '../../api/queries.ts'
import { faultsOf } from '../../components/explain.ts'
import { Panel } from '../../components/Panel.tsx'
import { toast, toastError } from '../../components/toast.tsx'
import { t } from '../../texts/index.ts'
import { emptyValues, SourceForm } from './SourceForm.tsx'
import { type Followable, followable } from './source.ts'
import { createBody } from './source-body.ts'

type Props = { kind: string | undefined; onClose: () => void; onMade: (id: string) => void }

/** A feed, an account, a hashtag or a folder is followed from here. */
export const FollowPanel = ({ kind, onClose, onMade }: Props) => (
  <Panel title={t.sources.followTitle} opened={kind !== undefined} onClose={onClose} width={420}>
    {kind !== undefined && (
      <Follow
        kind={followable.includes(kind as Followable) ? (kind as Followable) : 'Rss'}
        onClose={onClose}
        onMade={onMade}
      />
    )}
  </Panel>
)

const Follow = ({ kind, onClose, onMade }: Props & { kind: Followable }) => {
  const [values, setValues] = useState(() => emptyValues(kind))
  const [faults, setFaults] = useState<Record<string, string>>({})
  const [isSending, setSending] = useState(false)
  const follow = async (event: FormEvent) => {
    event.preventDefault()
    setSending(true)
    try {
      const { id, name } = await api.post('/v5/sources', { body: createBody(values) })
      refresh('sources')
      toast(t.sources.followed1(name))
      onMade(id)
    } catch (error) {
      setFaults(faultsOf(error))
      toastError(t.sources.following, error)
    } finally {
      setSending(false)
    }
  }
  return (
    <form onSubmit={follow}>
      <SourceForm values={values} onChange={setValues} faults={faults} />
      <Group mt="lg" gap="sm">
        <Button type="submit" size="xs" loading={isSending}>
          {t.sources.followIt}
        </Button>
        <Button size="xs" variant="default" onClick={onClose}>
          {t.actions.cancel}
        </Button>
      </Group>
    </form>
  )
}
