import { Button, Group, Progress, Skeleton, Stack, Table, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { Marquee } from 'marquee-sdk'
import { useEffect } from 'react'
import { api } from '../../../api/client.ts'
import { readOptions, refresh, usePages } from '../../../api/queries.ts'
import { ErrorState } from '../../../components/ErrorState.tsx'
import { formatNumber } from '../../../components/format.ts'
import { type Meaning, StatusMark } from '../../../components/StatusMark.tsx'
import { toast, toastError } from '../../../components/toast.tsx'
import { t } from '../../../texts/index.ts'
import classes from './Imports.module.css'

export type PersonImport = Marquee.PersonImport

export const isUnderWay = ({ status }: PersonImport): boolean => status === 'pending' || status === 'running'

const meanings: Record<PersonImport['status'], Meaning> = {
  pending: 'waiting',
  running: 'started',
  done: 'done',
  cancelled: 'gone',
  failed: 'danger',
}

export const ImportState = ({ run }: { run: PersonImport }) => (
  <StatusMark meaning={meanings[run.status]}>{t.audience.states[run.status]}</StatusMark>
)

/** How far an import is, by the second while it runs, and what was wrong. */
export const ImportRun = ({ id }: { id: string }) => {
  const read = useQuery({
    ...readOptions('/persons/imports/{id}', { path: { id } }),
    refetchInterval: ({ state }) => (state.data && isUnderWay(state.data) ? 1000 : false),
  })
  const run = read.data
  const status = run?.status
  useEffect(() => {
    if (status === 'done') refresh('persons')
  }, [status])
  if (read.error && !run) return <ErrorState error={read.error} retry={read.refetch} />
  if (!run) return <Skeleton height={160} />
  const cancel = async () => {
    try {
      await api.post('/persons/imports/{id}/cancel', { path: { id } })
      refresh('persons')
      toast(t.audience.cancelled)
    } catch (error) {
      toastError(t.audience.cancelImport, error)
    }
  }
  return (
    <section className={classes.run} aria-label={run.dry_run ? t.audience.dryRun : t.audience.realRun}>
      <Stack gap="md">
        <Group justify="space-between">
          <Title order={2} size="h4">
            {run.dry_run ? t.audience.dryRun : t.audience.realRun}
          </Title>
          <ImportState run={run} />
        </Group>
        <Progress
          value={run.matched === 0 ? 0 : (100 * run.processed) / run.matched}
          aria-label={t.audience.progress(formatNumber(run.processed), formatNumber(run.matched))}
        />
        <Text size="sm" className="figures" role="status">
          {t.audience.progress(formatNumber(run.processed), formatNumber(run.matched))}
        </Text>
        <dl className={classes.figures}>
          <Figure title={run.dry_run ? t.audience.wouldCreate : t.audience.created} value={run.created} />
          <Figure title={run.dry_run ? t.audience.wouldUpdate : t.audience.updated} value={run.updated} />
          <Figure title={t.audience.failed} value={run.failed} />
        </dl>
        {run.reason && (
          <Text size="sm" c="var(--danger)" role="alert">
            {run.reason}
          </Text>
        )}
        {isUnderWay(run) && (
          <Button size="xs" variant="default" onClick={cancel} w="fit-content">
            {t.audience.cancelImport}
          </Button>
        )}
        {run.failed > 0 && <Faults id={id} />}
        {run.failed === 0 && run.status === 'done' && (
          <Text size="sm" c="dimmed">
            {t.audience.noErrors}
          </Text>
        )}
      </Stack>
    </section>
  )
}

const Figure = ({ title, value }: { title: string; value: number }) => (
  <div>
    <dt>{title}</dt>
    <dd>{formatNumber(value)}</dd>
  </div>
)

const Faults = ({ id }: { id: string }) => {
  const path = `/persons/imports/${encodeURIComponent(id)}/errors` as '/persons/imports/{id}/errors'
  const list = usePages(path, {}, { limit: 100 })
  if (list.error) return <ErrorState error={list.error} retry={list.retry} />
  return (
    <>
      <Table fz="sm" verticalSpacing={4}>
        <Table.Caption>{t.audience.errors}</Table.Caption>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t.audience.row}</Table.Th>
            <Table.Th>{t.audience.column}</Table.Th>
            <Table.Th>{t.audience.message}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {list.rows.map(({ row, column, message }) => (
            <Table.Tr key={`${row} ${column} ${message}`}>
              <Table.Td className="figures">{formatNumber(row)}</Table.Td>
              <Table.Td dir="auto">{column || t.audience.wholeRow}</Table.Td>
              <Table.Td>{message}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {list.hasMore && (
        <Button size="xs" variant="default" onClick={list.loadMore} w="fit-content">
          {t.table.more}
        </Button>
      )}
    </>
  )
}
