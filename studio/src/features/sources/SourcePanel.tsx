import { Alert, Button, Group, Skeleton, Stack, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { type FormEvent, type ReactNode, useState } from 'react'
import { useCan } from '../../api/access.ts'
import { api } from '../../api/client.ts'
import { refresh, useRead } from '../../api/queries.ts'
import { ErrorState } from '../../components/ErrorState.tsx'
import { faultsOf } from '../../components/explain.ts'
import { formatNumber } from '../../components/format.ts'
import { Panel } from '../../components/Panel.tsx'
import { RelativeTime } from '../../components/RelativeTime.tsx'
import { StatusMark } from '../../components/StatusMark.tsx'
import { toast, toastError } from '../../components/toast.tsx'
import { t } from '../../texts/index.ts'
import { Activity } from './Activity.tsx'
import { useFetchNow } from './fetch-now.ts'
import { SourceForm, valuesOf } from './SourceForm.tsx'
import { followed, momentOf, type Source, stateOf } from './source.ts'
import { changeBody } from './source-body.ts'
import { stopFollowing } from './stop.ts'

type Props = {
  id: string | undefined
  isEdited: boolean
  onEdit: (isEdited: boolean) => void
  onClose: () => void
}

/** A source beside the list: how it does, and what can be done with it. */
export const SourcePanel = ({ id, isEdited, onEdit, onClose }: Props) => {
  const read = useRead('/v5/sources/{id}', { path: { id: id ?? '' } }, { enabled: id !== undefined })
  const source = read.data
  return (
    <Panel
      title={source ? source.name : t.common.loading}
      opened={id !== undefined}
      onClose={onClose}
      width={400}
    >
      {read.error && <ErrorState title={t.sources.sourceFailed} error={read.error} retry={read.refetch} />}
      {!source && !read.error && <Skeleton height={160} />}
      {source && isEdited && <Edit key={source.id} source={source} onDone={() => onEdit(false)} />}
      {source && !isEdited && <Look source={source} onEdit={() => onEdit(true)} onClose={onClose} />}
    </Panel>
  )
}

const Look = ({ source, onEdit, onClose }: { source: Source; onEdit: () => void; onClose: () => void }) => {
  const can = useCan()
  const { fetchNow, isFetching } = useFetchNow(source)
  const { meaning, words } = stateOf(source)
  const stop = () => {
    onClose()
    stopFollowing(source)
  }
  return (
    <Stack gap="lg">
      {can('sources_publish') && (
        <Group gap="sm">
          <Button size="xs" loading={isFetching} onClick={fetchNow}>
            {t.sources.fetchNow}
          </Button>
          <Button size="xs" variant="default" onClick={onEdit}>
            {t.sources.edit}
          </Button>
          <Button size="xs" variant="default" onClick={stop}>
            {t.sources.stop}
          </Button>
        </Group>
      )}
      {source.error && (
        <Alert color={source.failed > 0 ? 'red' : 'yellow'} title={words} p="sm">
          <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
            {source.error}
          </Text>
          {source.failed > 0 && (
            <Text size="xs" c="dimmed" mt={4}>
              {t.sources.failedHint(formatNumber(source.failed))}
            </Text>
          )}
        </Alert>
      )}
      <Activity id={source.id} />
      <Facts
        facts={[
          [t.sources.state, <StatusMark key="s" meaning={meaning} children={words} />],
          [t.sources.kind, t.sources.kinds[source.label]],
          [t.sources.followed, source.url ?? followed(source)],
          [t.sources.shortname, source.shortname],
          [t.sources.tag, source.tag],
          [t.sources.activity, formatNumber(source.frequency)],
          [t.sources.lastFetch, <RelativeTime key="f" at={momentOf(source.fetched_on)} />],
          [t.sources.lastNew, <RelativeTime key="l" at={momentOf(source.last_import)} />],
          [
            t.sources.nextFetch,
            source.next_fetch_on && <RelativeTime key="n" at={momentOf(source.next_fetch_on)} />,
          ],
        ]}
      />
      <Button
        component={Link}
        {...({ to: '/sources', search: { 'source_ids_or[in]': source.id } } as object)}
        size="xs"
        variant="default"
      >
        {t.sources.showItems}
      </Button>
    </Stack>
  )
}

const Facts = ({ facts }: { facts: [string, ReactNode][] }) => (
  <Stack gap={6}>
    {facts
      .filter(([, value]) => value)
      .map(([name, value]) => (
        <Group key={name} gap="md" wrap="nowrap" align="flex-start">
          <Text size="xs" c="dimmed" w={110} style={{ flex: 'none' }}>
            {name}
          </Text>
          <Text size="sm" component="div" style={{ overflowWrap: 'anywhere', minWidth: 0 }}>
            {value}
          </Text>
        </Group>
      ))}
  </Stack>
)

const Edit = ({ source, onDone }: { source: Source; onDone: () => void }) => {
  const [values, setValues] = useState(() => valuesOf(source))
  const [faults, setFaults] = useState<Record<string, string>>({})
  const path = { id: source.id }
  const save = async (event: FormEvent) => {
    event.preventDefault()
    try {
      const before = changeBody(valuesOf(source), source.url)
      await api.put('/v5/sources/{id}', { path, body: changeBody(values, source.url) })
      refresh('sources')
      onDone()
      toast(t.sources.saved(values.name), async () => {
        await api.put('/v5/sources/{id}', { path, body: before })
        refresh('sources')
      })
    } catch (error) {
      setFaults(faultsOf(error))
      toastError(t.sources.saving, error)
    }
  }
  return (
    <form onSubmit={save}>
      <SourceForm values={values} onChange={setValues} faults={faults} source={source} />
      <Group mt="lg" gap="sm">
        <Button type="submit" size="xs">
          {t.actions.save}
        </Button>
        <Button size="xs" variant="default" onClick={onDone}>
          {t.actions.cancel}
        </Button>
      </Group>
    </form>
  )
}
