import { Button, FileButton, Group, NativeSelect, Stack, Text } from '@mantine/core'
import { type DragEvent, useState } from 'react'
import { api } from '../../../api/client.ts'
import { refresh } from '../../../api/queries.ts'
import { formatBytes } from '../../../components/format.ts'
import { toastError } from '../../../components/toast.tsx'
import { t } from '../../../texts/index.ts'
import { type Beginning, isNdjson, readBeginning } from './header.ts'
import classes from './Imports.module.css'
import { MappingTable } from './MappingTable.tsx'
import { guess } from './targets.ts'

const accepted = '.csv,.tsv,.ndjson,.jsonl,text/csv,application/x-ndjson'

/** From a file to an import: choose, say what each column is, try, import. */
export const ImportForm = ({ onStarted }: { onStarted: (id: string) => void }) => {
  const [file, setFile] = useState<File | null>(null)
  const [beginning, setBeginning] = useState<Beginning>()
  const [mapping, setMapping] = useState<Record<string, string>>({})
  const [match, setMatch] = useState('')
  const [busy, setBusy] = useState<'trial' | 'import'>()
  const take = async (chosen: File | null) => {
    if (!chosen) return
    const found = isNdjson(chosen) ? undefined : await readBeginning(chosen)
    setFile(chosen)
    setBeginning(found)
    setMapping(found ? guess(found.columns) : {})
  }
  const drop = (event: DragEvent) => {
    event.preventDefault()
    take(event.dataTransfer.files[0] ?? null)
  }
  const send = async (dry: boolean) => {
    setBusy(dry ? 'trial' : 'import')
    try {
      const started = await api.post('/persons/import', {
        query: {
          dry_run: dry ? 'true' : 'false',
          ...(match && { match: match as 'id' }),
          ...(beginning && { mapping: JSON.stringify(mapping) }),
        },
        headers: { 'content-type': beginning ? 'text/csv' : 'application/x-ndjson' },
        body: file!,
      })
      refresh('persons')
      onStarted(started.id)
    } catch (error) {
      toastError(t.audience.importFailed, error)
    } finally {
      setBusy(undefined)
    }
  }
  return (
    <Stack gap="md">
      <section
        aria-label={t.audience.choose}
        className={classes.drop}
        onDragOver={(event) => event.preventDefault()}
        onDrop={drop}
      >
        <FileButton onChange={take} accept={accepted} inputProps={{ 'aria-label': t.audience.choose }}>
          {(props) => (
            <Button {...props} size="xs" variant={file ? 'default' : 'filled'}>
              {file ? t.audience.otherFile : t.audience.choose}
            </Button>
          )}
        </FileButton>
        <Text size="sm" c="dimmed">
          {file ? `${file.name} (${formatBytes(file.size)})` : t.audience.drop}
        </Text>
      </section>
      {!file && (
        <Text size="sm" c="dimmed">
          {t.audience.importHint}
        </Text>
      )}
      {file && (
        <>
          {beginning ? (
            <MappingTable beginning={beginning} mapping={mapping} onChange={setMapping} />
          ) : (
            <Text size="sm">{t.audience.ndjsonNote}</Text>
          )}
          <NativeSelect
            size="xs"
            maw={320}
            label={t.audience.matchBy}
            value={match}
            onChange={(event) => setMatch(event.currentTarget.value)}
            data={[
              { value: '', label: t.audience.matchDefault },
              { value: 'email', label: t.audience.matchEmail },
              { value: 'reference_id', label: t.audience.matchReference },
              { value: 'id', label: t.audience.matchId },
            ]}
          />
          <Group gap="sm">
            <Button
              size="xs"
              variant="default"
              loading={busy === 'trial'}
              disabled={busy !== undefined}
              onClick={() => send(true)}
            >
              {t.audience.tryOut}
            </Button>
            <Button
              size="xs"
              loading={busy === 'import'}
              disabled={busy !== undefined}
              onClick={() => send(false)}
            >
              {t.audience.importNow}
            </Button>
          </Group>
          <Text size="xs" c="dimmed">
            {t.audience.tryHint}
          </Text>
        </>
      )}
    </Stack>
  )
}
