import { Button, Checkbox, Group, Modal, NativeSelect, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { ApiError } from 'marquee-sdk'
import { useState } from 'react'
import { useEnvironment } from '../../api/access.ts'
import { useRead } from '../../api/queries.ts'
import { explain } from '../../components/explain.ts'
import { formatNumber, localeName } from '../../components/format.ts'
import { toast, toastError } from '../../components/toast.tsx'
import { t } from '../../texts/index.ts'
import { type Change, type Planned, planChanges, runPlanned, type Target, undoOperations } from './bulk.ts'

type Props = { kind: 'status' | 'delete'; target: Target; onClose: () => void; onDone: () => void }

/** What will change, counted by the service; then it is done, and can be undone. */
export const BulkPreview = ({ kind, target, onClose, onDone }: Props) => {
  const environment = useEnvironment()
  const statuses = useRead('/statuses', { query: { limit: 100, total: false } }).data?.items ?? []
  const [status, setStatus] = useState('Done')
  const [locales, setLocales] = useState(environment?.locales ?? [])
  const [done, setDone] = useState<number>()
  const others = statuses.map(({ body }) => body).filter((body) => body !== status)
  const changes: Change[] =
    kind === 'delete' ? [{ kind }] : locales.map((locale) => ({ kind, status, locale, others }))
  const preview = useQuery({
    queryKey: ['bulk', kind, target, changes],
    queryFn: () => planChanges(target, changes),
    enabled: kind === 'delete' || others.length > 0,
    gcTime: 0,
    retry: false,
  })
  const planned = preview.data ?? []
  const count = planned.reduce((sum, { matched }) => sum + matched, 0)

  const run = async () => {
    setDone(0)
    try {
      const { ids, processed, failed } = await runPlanned(target, planned, setDone)
      const told = kind === 'delete' ? t.bulk.deleted : t.bulk.changed
      onDone()
      toast(
        failed > 0
          ? `${told(formatNumber(processed))}. ${t.bulk.failed(formatNumber(failed))}`
          : told(formatNumber(processed)),
        async () => {
          await undoOperations(ids)
          toast(t.bulk.undone)
        },
      )
    } catch (error) {
      setDone(undefined)
      preview.refetch()
      const moved = error instanceof ApiError && error.status === 409
      toastError(
        kind === 'delete' ? t.bulk.delete : t.bulk.setStatus,
        moved ? new Error(t.bulk.moved) : error,
      )
    }
  }
  return (
    <Modal
      opened
      onClose={onClose}
      title={kind === 'delete' ? t.bulk.delete : t.bulk.setStatus}
      closeButtonProps={{ 'aria-label': t.actions.close }}
    >
      <Stack gap="lg">
        {kind === 'status' && (
          <>
            <NativeSelect
              label={t.bulk.to}
              value={status}
              data={statuses.map(({ body }) => body)}
              onChange={(event) => setStatus(event.currentTarget.value)}
            />
            <Checkbox.Group label={t.bulk.inLocales} value={locales} onChange={setLocales}>
              <Group mt={6}>
                {environment?.locales.map((locale) => (
                  <Checkbox key={locale} size="xs" value={locale} label={localeName(locale)} />
                ))}
              </Group>
            </Checkbox.Group>
          </>
        )}
        <section aria-live="polite">
          <Title order={3} size="sm" mb={4}>
            {t.bulk.preview}
          </Title>
          {preview.isFetching && <Text size="sm">{t.bulk.counting}</Text>}
          {preview.error && <Text size="sm">{explain(preview.error)}</Text>}
          {!preview.isFetching && <Lines planned={planned} />}
        </section>
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={onClose}>
            {t.actions.cancel}
          </Button>
          <Button
            color={kind === 'delete' ? 'red' : undefined}
            disabled={count === 0 || preview.isFetching || done !== undefined}
            onClick={run}
          >
            {done !== undefined
              ? t.bulk.running(formatNumber(done), formatNumber(count))
              : kind === 'delete'
                ? t.bulk.doDelete(formatNumber(count))
                : t.bulk.doStatus(formatNumber(count), status)}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}

const Lines = ({ planned }: { planned: Planned[] }) => {
  const found = planned.filter(({ matched }) => matched > 0)
  if (found.length === 0) return <Text size="sm">{t.bulk.nothing}</Text>
  return found.map(({ change, matched }) => (
    <Text key={change.kind === 'status' ? change.locale : 'delete'} size="sm" className="figures">
      {change.kind === 'status'
        ? t.bulk.willChange(formatNumber(matched), localeName(change.locale), change.status)
        : t.bulk.willDelete(formatNumber(matched))}
    </Text>
  ))
}
