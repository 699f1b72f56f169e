import { Button, Modal, Skeleton, Stack, Text } from '@mantine/core'
import type { Marquee } from 'marquee-sdk'
import { useState } from 'react'
import { api } from '../../../api/client.ts'
import { usePages, useRead } from '../../../api/queries.ts'
import { ErrorState } from '../../../components/ErrorState.tsx'
import { formatTime } from '../../../components/format.ts'
import { RelativeTime } from '../../../components/RelativeTime.tsx'
import { toast, toastError } from '../../../components/toast.tsx'
import { t } from '../../../texts/index.ts'
import { Difference } from '../Difference.tsx'
import classes from '../Editor.module.css'
import { shortName } from '../names.ts'
import { nameOf } from '../saving/values.ts'
import type { Work } from '../saving/work.ts'
import type { Opened } from '../use-work.ts'

type Props = { id: string; opened: Opened; work: Work; locales: string[]; disabled: boolean }

/** Every state that readers could see, the newest first; each can be compared with the newest and brought back. */
export const Versions = ({ id, opened, work, locales, disabled }: Props) => {
  const list = usePages(`/publications/${id}/versions` as '/publications/{id}/versions', {}, { limit: 15 })
  const [shown, setShown] = useState<Marquee.Version>()
  const newest = list.rows[0]?.version
  const restore = async (version: number) => {
    const back = (to: number) => api.post('/publications/{id}/versions/{version}/restore', at(id, to))
    try {
      await back(version)
      await work.reread()
      setShown(undefined)
      toast(t.editor.restored(version), async () => {
        await back(newest!)
        await work.reread()
      })
    } catch (error) {
      toastError(t.editor.restoring, error)
    }
  }
  if (list.error) return <ErrorState error={list.error} retry={list.retry} />
  return (
    <div>
      {list.isLoading && <Skeleton height={80} />}
      {list.rows.map((row) => (
        <div key={row.version} className={classes.version}>
          <div className={classes.grow}>
            <Text size="sm" className="ellipsis">
              {t.editor.versionOf(row.version, t.editor.events[row.event], row.created_by?.name)}
            </Text>
            <Text size="xs" c="dimmed">
              <RelativeTime at={row.created_on} />
              {row.locales.length > 0 && ` · ${row.locales.map((one) => shortName(one, locales)).join(', ')}`}
            </Text>
          </div>
          <Button size="compact-xs" variant="default" onClick={() => setShown(row)}>
            {t.editor.compare}
          </Button>
        </div>
      ))}
      {list.hasMore && (
        <Button size="compact-sm" variant="subtle" onClick={list.loadMore}>
          {t.table.more}
        </Button>
      )}
      <Modal
        opened={shown !== undefined}
        onClose={() => setShown(undefined)}
        size="lg"
        title={shown && t.editor.versionTitle(shown.version, formatTime(shown.created_on))}
        closeButtonProps={{ 'aria-label': t.actions.close }}
      >
        {shown && <Compared id={id} row={shown} newest={newest} opened={opened} locales={locales} />}
        {shown && shown.version !== newest && !disabled && (
          <Button mt="lg" onClick={() => restore(shown.version)}>
            {t.editor.restore(shown.version)}
          </Button>
        )}
      </Modal>
    </div>
  )
}

const at = (id: string, version: number) => ({ path: { id, version: String(version) } })

type ComparedProps = {
  id: string
  row: Marquee.Version
  newest: number | undefined
  opened: Opened
  locales: string[]
}

/** The newest against the one before it, any other against the newest. */
const Compared = ({ id, row, newest, opened, locales }: ComparedProps) => {
  const isNewest = row.version === newest
  const [from, to] = isNewest ? [row.version - 1, row.version] : [row.version, newest!]
  const read = useRead(
    '/publications/{id}/versions/{version}/compare',
    { ...at(id, from), query: { with: String(to) } },
    { enabled: from > 0 },
  )
  if (from === 0) return <Text size="sm">{t.editor.firstVersion}</Text>
  if (read.error) return <ErrorState error={read.error} retry={read.refetch} />
  if (!read.data) return <Skeleton height={120} />
  const nameOfPath = (path: string): string => {
    const [kind = '', locale = '', api_id] = path.split('.')
    const field = opened.fields.find((one) => one.api_id === api_id)
    const what = field ? nameOf(field) : (api_id ?? (t.editor.facts as Record<string, string>)[kind] ?? kind)
    return locale ? `${what} (${shortName(locale, locales)})` : what
  }
  return (
    <Stack gap="md">
      <Text size="sm" c="dimmed">
        {isNewest ? t.editor.sincePrevious : t.editor.sinceThen(to)}
      </Text>
      {read.data.items.length === 0 && <Text size="sm">{t.editor.noDifference}</Text>}
      {read.data.items.map(({ path, before, after }) => (
        <section key={path}>
          <Text size="xs" fw={600}>
            {nameOfPath(path)}
          </Text>
          <Difference before={before} after={after} />
        </section>
      ))}
    </Stack>
  )
}
