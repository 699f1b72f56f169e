import { Button, Group, NativeSelect, Radio, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { api } from '../../../api/client.ts'
import { refresh, useRead } from '../../../api/queries.ts'
import { EmptyState } from '../../../components/EmptyState.tsx'
import { ErrorState } from '../../../components/ErrorState.tsx'
import { formatDay, formatNumber } from '../../../components/format.ts'
import { toast, toastError } from '../../../components/toast.tsx'
import { t } from '../../../texts/index.ts'
import classes from '../Music.module.css'
import type { Kind, Music } from './record.ts'

type Mark = 'isrc' | 'reference_unique'
type Alike = { mark: string; items: Music[] }
type Props = { kind: Kind; by: string; onBy: (by: Mark) => void }

/** Those that are most likely the same, each group with the one that stays. */
export const Duplicates = ({ kind, by, onBy }: Props) => {
  const marks: Mark[] = kind === 'tracks' ? ['isrc', 'reference_unique'] : ['reference_unique']
  const mark = marks.includes(by as Mark) ? (by as Mark) : marks[0]!
  const read = useRead(`/v5/${kind}/duplicates`, { query: { by: mark, limit: '50' } } as never)
  const groups = (read.data?.items ?? []) as unknown as Alike[]
  const mergeAll = async () => {
    try {
      const { merged } = await api.post(`/v5/${kind}/bulk/merge`, { body: { by: mark } } as never)
      refresh('tracks', 'artists', 'timelines')
      toast(t.music.mergedMany(formatNumber(merged)))
    } catch (error) {
      toastError(t.music.merging, error)
    }
  }
  if (read.error) return <ErrorState error={read.error} retry={read.refetch} />
  return (
    <div className={classes.groups}>
      <Stack gap="md" maw={760}>
        <Group justify="space-between" align="flex-end">
          <NativeSelect
            size="xs"
            label={t.music.by}
            value={mark}
            onChange={(event) => onBy(event.currentTarget.value as Mark)}
            data={marks.map((one) => ({ value: one, label: t.music.marks[one] }))}
          />
          {(read.data?.total ?? 0) > 1 && (
            <Button size="xs" variant="default" title={t.music.mergeAllHint} onClick={mergeAll}>
              {t.music.mergeAll(formatNumber(read.data!.total))}
            </Button>
          )}
        </Group>
        {read.data?.total === 0 ? (
          <EmptyState title={t.music.noDuplicates} hint={t.music.noDuplicatesHint} />
        ) : (
          <Text size="sm" c="dimmed">
            {t.music.duplicatesHint}
          </Text>
        )}
        {groups.map((group) => (
          <OneGroup key={group.mark} kind={kind} group={group} />
        ))}
      </Stack>
    </div>
  )
}

const OneGroup = ({ kind, group: { mark, items } }: { kind: Kind; group: Alike }) => {
  const [stays, setStays] = useState(items[0]?.id ?? '')
  const merge = async () => {
    const others = items.filter(({ id }) => id !== stays).map(({ id }) => ({ id }))
    try {
      await api.post(`/v5/${kind}/{id}/merge`, { path: { id: stays }, body: { [kind]: others } } as never)
      refresh('tracks', 'artists', 'timelines')
      toast(t.music.merged(items.find(({ id }) => id === stays)!.body))
    } catch (error) {
      toastError(t.music.merging, error)
    }
  }
  return (
    <section className={classes.group} aria-label={mark}>
      <Text size="xs" c="dimmed" mb="sm">
        {mark}
      </Text>
      <Radio.Group value={stays} onChange={setStays} label={t.music.stays}>
        <Stack gap="xs" my="sm">
          {items.map(({ id, body, artist_text, reference_unique, status, created_on }) => (
            <Radio
              key={id}
              size="xs"
              value={id}
              label={artist_text ? `${artist_text} – ${body}` : body}
              description={[reference_unique, t.music.statuses[status], formatDay(created_on)]
                .filter(Boolean)
                .join(' · ')}
            />
          ))}
        </Stack>
      </Radio.Group>
      <Button size="xs" onClick={merge}>
        {t.music.mergeGroup(formatNumber(items.length))}
      </Button>
    </section>
  )
}
