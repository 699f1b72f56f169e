import { Button, Group, NativeSelect, Skeleton, Stack, Text, Title } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { Marquee } from 'marquee-sdk'
import type { ReactNode } from 'react'
import { useCan } from '../../api/access.ts'
import { api } from '../../api/client.ts'
import { refresh, useRead } from '../../api/queries.ts'
import { ErrorState } from '../../components/ErrorState.tsx'
import { formatNumber, formatTime, localeName } from '../../components/format.ts'
import { MomentInput } from '../../components/MomentInput.tsx'
import { Panel } from '../../components/Panel.tsx'
import { RelativeTime } from '../../components/RelativeTime.tsx'
import { toast, toastError } from '../../components/toast.tsx'
import { hasPage, linkOf } from '../../frame/links.ts'
import { t } from '../../texts/index.ts'
import { textsIn } from './excerpt.ts'
import { titleOf } from './row.ts'
import { useChange } from './use-change.ts'

const fields =
  'title,items,locales,published,model{body},channels{name},containers{body},created_by{name},updated_by{name},insights,expire_on'

type Props = { id: string | undefined; locale: string | undefined; onClose: () => void }

/** Looks into a row without leaving the list; what a phone must be able to do is here. */
export const Peek = ({ id, locale, onClose }: Props) => {
  const read = useRead(
    '/publications/{id}',
    { path: { id: id ?? '' }, query: { fields } },
    { enabled: id !== undefined },
  )
  const row = read.data
  return (
    <Panel title={row ? titleOf(row, locale) : t.common.loading} opened={id !== undefined} onClose={onClose}>
      {read.error && <ErrorState title={t.content.loadFailed} error={read.error} retry={read.refetch} />}
      {!row && !read.error && <Skeleton height={120} />}
      {row && <Inside row={row} locale={locale} onClose={onClose} />}
    </Panel>
  )
}

const Inside = ({
  row,
  locale,
  onClose,
}: {
  row: Marquee.Publication
  locale: string | undefined
  onClose: () => void
}) => {
  const can = useCan()
  const { setStatus, setPublishOn } = useChange(row)
  const statuses = useRead('/statuses', { query: { limit: 100, total: false } }).data?.items ?? []
  const title = titleOf(row, locale)
  const remove = async () => {
    try {
      await api.delete('/publications/{id}', { path: { id: row.id } })
      onClose()
      refresh('publications')
      toast(t.content.deleted(title), async () => {
        await api.post('/publications/{id}/restore', { path: { id: row.id } })
        refresh('publications')
      })
    } catch (error) {
      toastError(t.content.deleting, error)
    }
  }
  return (
    <Stack gap="lg">
      <Group gap="sm">
        {hasPage('/content/$id') && (
          <Button component={Link} {...(linkOf('publications', row.id) as object)} size="xs">
            {t.content.openEditor}
          </Button>
        )}
        {can('publications_delete') && (
          <Button size="xs" variant="default" onClick={remove}>
            {t.content.delete}
          </Button>
        )}
      </Group>
      {(row.locales ?? []).map((one) => (
        <section key={one}>
          <Title order={3} size="sm" mb={6}>
            {localeName(one)}
          </Title>
          <NativeSelect
            size="xs"
            aria-label={`${t.content.status}: ${localeName(one)}`}
            disabled={!can('publications_publish')}
            value={row.status[one]?.body ?? ''}
            data={statuses.map(({ body }) => body)}
            onChange={(event) => setStatus(one, event.currentTarget.value, title)}
          />
          <MomentInput
            mt={6}
            size="xs"
            aria-label={t.content.schedule(localeName(one))}
            disabled={!can('publications_publish')}
            value={row.publish_on[one] ?? null}
            onChange={(moment) => setPublishOn(one, moment, title)}
          />
          <Text size="xs" c="dimmed" mt={4}>
            {row.published?.[one] ? t.content.published : t.content.notPublished}
            {row.expire_on?.[one] && ` – ${formatTime(row.expire_on[one])}`}
          </Text>
          {textsIn(row.items?.[one]).map((text) => (
            <Text key={text} size="sm" mt={6} lineClamp={4} dir="auto">
              {text}
            </Text>
          ))}
        </section>
      ))}
      <Facts row={row} />
    </Stack>
  )
}

const Facts = ({ row }: { row: Marquee.Publication }) => {
  const facts: [string, ReactNode][] = [
    [t.content.model, row.model?.body ?? t.content.noModel],
    [t.content.channels, row.channels?.map(({ name }) => name).join(', ')],
    [t.content.containers, row.containers?.map(({ body }) => body).join(', ')],
    [t.content.createdOn, <Moment key="c" at={row.created_on} by={row.created_by?.name} />],
    [t.content.changedOn, row.changed_on && <Moment key="u" at={row.changed_on} by={row.updated_by?.name} />],
    [t.content.insights, insightsText(row.insights)],
  ]
  return (
    <Stack gap={6}>
      {facts
        .filter(([, value]) => value)
        .map(([name, value]) => (
          <Group key={name} gap="md" wrap="nowrap" align="flex-start">
            <Text size="xs" c="dimmed" w={90} style={{ flex: 'none' }}>
              {name}
            </Text>
            <Text size="sm" component="div">
              {value}
            </Text>
          </Group>
        ))}
    </Stack>
  )
}

const Moment = ({ at, by }: { at: string; by: string | undefined }) => (
  <>
    <RelativeTime at={at} /> {by && t.content.by(by)}
  </>
)

const insightsText = (insights: Record<string, number> | undefined): string =>
  Object.entries(insights ?? {})
    .map(([label, count]) => `${label} ${formatNumber(count)}`)
    .join(' · ')
