import { ActionIcon, CloseButton, Group, Progress, Text } from '@mantine/core'
import { IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { explain } from '../../../components/explain.ts'
import { formatBytes } from '../../../components/format.ts'
import { StatusMark } from '../../../components/StatusMark.tsx'
import { t } from '../../../texts/index.ts'
import { formatPercent, useProgress } from '../use-progress.ts'
import { Interrupted } from './Interrupted.tsx'
import { clearUploads, pauseUpload, removeUpload, resumeUpload, type Upload, useUploads } from './store.ts'
import classes from './Uploads.module.css'

/** What is being sent, how far it is and what became of it. `plain` leads nowhere, for where something else is being done. */
export const UploadTray = ({ plain = false }: { plain?: boolean }) => {
  const uploads = useUploads()
  const open = uploads.filter(({ state }) => state !== 'done' && state !== 'failed')
  const done = uploads.filter(({ state }) => state === 'done')
  return (
    <>
      <Interrupted uploads={uploads} />
      {uploads.length > 0 && (
        <section className={classes.tray} aria-label={t.media.uploads}>
          <Group justify="space-between" wrap="nowrap" className={classes.head}>
            <Text size="sm" fw={600} role="status">
              {open.length > 0 ? t.media.uploading(open.length) : t.media.uploaded(done.length)}
            </Text>
            {open.length === 0 && <CloseButton aria-label={t.media.clearList} onClick={clearUploads} />}
          </Group>
          <ul className={classes.list}>
            {uploads.map((upload) => (
              <Line key={upload.key} upload={upload} plain={plain} />
            ))}
          </ul>
        </section>
      )}
    </>
  )
}

const Line = ({ upload, plain }: { upload: Upload; plain: boolean }) => {
  const { key, file, state, sent, asset } = upload
  const isMoving = state === 'sending' || state === 'lost' || state === 'queued'
  const part = file.size > 0 ? sent / file.size : 1
  return (
    <li className={classes.line}>
      <Group wrap="nowrap" gap="sm">
        <div className={classes.names}>
          <div className="ellipsis" title={file.name}>
            {asset && !plain ? (
              <Link to={'/media/$id' as string} params={{ id: asset.id } as never} className={classes.link}>
                {file.name}
              </Link>
            ) : (
              file.name
            )}
          </div>
          <Told upload={upload} />
        </div>
        {isMoving && (
          <ActionIcon
            variant="subtle"
            color="gray"
            onClick={() => pauseUpload(key)}
            aria-label={t.media.pause(file.name)}
          >
            <IconPlayerPause size={16} aria-hidden />
          </ActionIcon>
        )}
        {(state === 'paused' || (state === 'failed' && upload.label)) && (
          <ActionIcon
            variant="subtle"
            color="gray"
            onClick={() => resumeUpload(key)}
            aria-label={t.media.resume(file.name)}
          >
            <IconPlayerPlay size={16} aria-hidden />
          </ActionIcon>
        )}
        {state !== 'done' && (
          <CloseButton size="sm" onClick={() => removeUpload(key)} aria-label={t.media.cancel(file.name)} />
        )}
      </Group>
      {state !== 'done' && state !== 'failed' && (
        <Progress
          mt={4}
          size={4}
          value={part * 100}
          aria-label={file.name}
          color={state === 'sending' ? undefined : 'gray'}
        />
      )}
    </li>
  )
}

const Told = ({ upload }: { upload: Upload }) => {
  const { state, file, sent, asset, known, error } = upload
  const progress = useProgress(asset ? [asset] : [])
  if (state === 'failed')
    return (
      <Text size="xs" c="var(--danger)" role="alert">
        {explain(error)}
      </Text>
    )
  if (state === 'done') {
    const part = asset?.status === 'processing' ? (progress.get(asset.id) ?? 0) : 1
    if (known) return <StatusMark meaning="done">{t.media.already}</StatusMark>
    return part < 1 ? (
      <StatusMark meaning="started">{t.media.processing(formatPercent(part))}</StatusMark>
    ) : (
      <StatusMark meaning="done">{t.media.states.done}</StatusMark>
    )
  }
  return (
    <Text size="xs" c="dimmed" className="figures">
      {t.media.states[state]} · {t.media.sentOf(formatBytes(sent), formatBytes(file.size))}
    </Text>
  )
}
