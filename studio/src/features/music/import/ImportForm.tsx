import { Alert, Button, FileInput, Group, NativeSelect, Progress, Stack, Table, Text } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { refresh } from '../../../api/queries.ts'
import { formatNumber } from '../../../components/format.ts'
import { toast, toastError } from '../../../components/toast.tsx'
import { t } from '../../../texts/index.ts'
import { faultsIn, type Import, type ImportFault, type Kind, runImport } from './run.ts'

type Props = {
  kind: Kind
  channel: string
  channels: { id: string; name: string }[]
  onDone: () => void
}

type Trial = { state: Import; faults: ImportFault[] }

/** A file is tried out as soon as it is chosen; it is imported when what would happen has been seen. */
export const ImportForm = ({ kind, channel, channels, onDone }: Props) => {
  const [file, setFile] = useState<File | null>(null)
  const [standsFor, setStandsFor] = useState(kind === 'timelines' ? channel : 'draft')
  const [running, setRunning] = useState<Import | 'sent'>()
  const [trial, setTrial] = useState<Trial>()
  const end = useRef(new AbortController())
  useEffect(() => () => end.current.abort(), [])
  const defaults: Record<string, string> =
    kind === 'timelines' ? (standsFor ? { channel_id: standsFor } : {}) : { status: standsFor }

  const run = async (given: File, isTrial: boolean, values = defaults) => {
    end.current.abort()
    end.current = new AbortController()
    const { signal } = end.current
    setRunning('sent')
    try {
      const state = await runImport({ kind, file: given, isTrial, defaults: values }, signal, setRunning)
      const faults = await faultsIn(kind, state)
      if (isTrial) setTrial({ state, faults })
      else finish(state)
    } catch (error) {
      if (!signal.aborted) toastError(t.music.importing, error)
    } finally {
      if (!signal.aborted) setRunning(undefined)
    }
  }
  const finish = (state: Import) => {
    refresh('timelines', 'tracks', 'artists')
    if (state.status !== 'done') return setTrial({ state, faults: [] })
    toast(t.music.imported(formatNumber(state.created), formatNumber(state.updated)))
    onDone()
  }
  const choose = (chosen: File | null) => {
    setFile(chosen)
    setTrial(undefined)
    if (chosen) run(chosen, true)
  }
  const stand = (value: string) => {
    setStandsFor(value)
    const values: Record<string, string> =
      kind === 'timelines' ? (value ? { channel_id: value } : {}) : { status: value }
    if (file) run(file, true, values)
  }
  const hints = { timelines: t.music.logHint, tracks: t.music.tracksHint, artists: t.music.artistsHint }
  const taken = trial ? trial.state.created + trial.state.updated : 0
  return (
    <Stack gap="md">
      <FileInput
        label={t.music.file}
        description={hints[kind]}
        placeholder={t.music.filePlaceholder}
        accept=".csv,.tsv,.txt,.ndjson,.jsonl,.json"
        value={file}
        onChange={choose}
        disabled={running !== undefined}
      />
      <NativeSelect
        label={kind === 'timelines' ? t.music.rowsChannel : t.music.rowsStatus}
        value={standsFor}
        disabled={running !== undefined}
        onChange={(event) => stand(event.currentTarget.value)}
        data={
          kind === 'timelines'
            ? [
                { value: '', label: t.music.noChannel },
                ...channels.map(({ id, name }) => ({ value: id, label: name })),
              ]
            : Object.entries(t.music.statuses).map(([value, label]) => ({ value, label }))
        }
      />
      {running && <Running state={running} />}
      {trial && !running && <Outcome {...trial} />}
      {trial && !running && (
        <Group justify="flex-end">
          <Button disabled={taken === 0 || trial.state.status !== 'done'} onClick={() => run(file!, false)}>
            {t.music.importRows(formatNumber(taken))}
          </Button>
        </Group>
      )}
    </Stack>
  )
}

const Running = ({ state }: { state: Import | 'sent' }) => {
  const share = state === 'sent' || state.matched === 0 ? 0 : (state.processed / state.matched) * 100
  return (
    <div role="status">
      <Text size="sm" mb={4} className="figures">
        {state === 'sent' || state.dry_run
          ? t.music.trying
          : t.music.running(formatNumber(state.processed), formatNumber(state.matched))}
      </Text>
      <Progress value={share} aria-label={t.music.importing} />
    </div>
  )
}

const Outcome = ({ state, faults }: Trial) => {
  if (state.status !== 'done')
    return (
      <Alert color="red" title={t.music.importFailed}>
        {state.reason}
      </Alert>
    )
  const counts: [string, number][] = [
    [t.music.rows, state.matched],
    [t.music.wouldMake, state.created],
    [t.music.wouldChange, state.updated],
    [t.music.wouldFail, state.failed],
  ]
  return (
    <Stack gap="sm" role="status">
      <Text size="sm">{state.created + state.updated > 0 ? t.music.tried : t.music.nothingToImport}</Text>
      <Table withTableBorder fz="sm">
        <Table.Tbody className="figures">
          {counts.map(([name, count]) => (
            <Table.Tr key={name}>
              <Table.Td>{name}</Table.Td>
              <Table.Td ta="right">{formatNumber(count)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {faults.length > 0 && <Faults faults={faults} failed={state.failed} />}
    </Stack>
  )
}

const Faults = ({ faults, failed }: { faults: ImportFault[]; failed: number }) => {
  const shown = new Set(faults.map(({ row }) => row)).size
  return (
    <Table.ScrollContainer minWidth={320} maxHeight={240}>
      <Table fz="sm">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t.music.row}</Table.Th>
            <Table.Th>{t.music.column}</Table.Th>
            <Table.Th>{t.music.fault}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {faults.map(({ row, column, message }) => (
            <Table.Tr key={`${row} ${column} ${message}`}>
              <Table.Td className="figures">{row}</Table.Td>
              <Table.Td>{column}</Table.Td>
              <Table.Td>{message}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {failed > shown && (
        <Text size="xs" c="dimmed" p="xs">
          {t.music.moreFaults(formatNumber(failed - shown))}
        </Text>
      )}
    </Table.ScrollContainer>
  )
}
