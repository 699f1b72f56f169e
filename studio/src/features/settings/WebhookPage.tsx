import { Button, Group, NativeSelect, Popover, Skeleton, Stack, Text } from '@mantine/core'
import { useNavigate, useParams } from '@tanstack/react-router'
import type { Marquee } from 'marquee-sdk'
import { useEffect, useMemo, useState } from 'react'
import { useAddress } from '../../address.ts'
import { useCan } from '../../api/access.ts'
import { api } from '../../api/client.ts'
import { refresh, usePages, useRead } from '../../api/queries.ts'
import { type Column, DataTable } from '../../components/DataTable.tsx'
import { EmptyState } from '../../components/EmptyState.tsx'
import { ErrorState } from '../../components/ErrorState.tsx'
import { formatNumber } from '../../components/format.ts'
import { MomentInput } from '../../components/MomentInput.tsx'
import { Panel } from '../../components/Panel.tsx'
import { RelativeTime } from '../../components/RelativeTime.tsx'
import { type Meaning, StatusMark } from '../../components/StatusMark.tsx'
import { toast, toastError } from '../../components/toast.tsx'
import { t } from '../../texts/index.ts'
import { DeliveryDetail } from './DeliveryDetail.tsx'
import { Section } from './parts/Section.tsx'
import classes from './Settings.module.css'
import { WebhookPanel } from './WebhookPanel.tsx'

type Delivery = Marquee.WebhookDelivery

const meanings: Record<Delivery['status'], Meaning> = {
  pending: 'waiting',
  delivered: 'done',
  failed: 'danger',
  cancelled: 'gone',
}

const useColumns = (): Column<Delivery>[] =>
  useMemo(() => {
    const texts = t.settings.webhooks
    return [
      {
        key: 'event',
        title: texts.event,
        width: 'minmax(160px, 2fr)',
        small: 'first',
        render: ({ event }) => <span className={`${classes.name} ellipsis`}>{event}</span>,
      },
      {
        key: 'status',
        title: texts.status,
        width: '120px',
        small: 'second',
        render: ({ status }) => <StatusMark meaning={meanings[status]}>{texts.statuses[status]}</StatusMark>,
      },
      {
        key: 'answer',
        title: texts.answer,
        width: 'minmax(100px, 2fr)',
        keep: 3,
        small: 'second',
        render: ({ response_status, error }) => (
          <span className="ellipsis">{error ?? response_status ?? ''}</span>
        ),
      },
      {
        key: 'source',
        title: texts.source,
        width: '120px',
        keep: 1,
        render: ({ source }) => texts.sources[source],
      },
      {
        key: 'attempts',
        title: texts.attempts,
        width: '90px',
        align: 'right',
        keep: 2,
        render: ({ attempts }) => <span className="figures">{formatNumber(attempts)}</span>,
      },
      {
        key: 'created_on',
        title: texts.when,
        width: '120px',
        sortKey: 'created_on',
        keep: 4,
        small: 'second',
        render: ({ created_on }) => <RelativeTime at={created_on} />,
      },
    ]
  }, [])

/** What a webhook was sent, and its settings beside it. */
const WebhookPage = () => {
  const { id } = useParams({ strict: false }) as { id: string }
  const navigate = useNavigate()
  const [address, change] = useAddress()
  const texts = t.settings.webhooks
  const columns = useColumns()
  const webhook = useRead('/webhooks/{id}', { path: { id } })
  const list = usePages('/webhooks/{id}/deliveries'.replace('{id}', encodeURIComponent(id)) as never, {
    ...(address.status && { 'status[eq]': address.status }),
    ...(address.sort && { sort: address.sort }),
  })
  const rows = list.rows as Delivery[]
  // Attempts come without an event.
  const isWaiting = rows.some(({ status }) => status === 'pending')
  useEffect(() => {
    if (!isWaiting) return
    const timer = setInterval(() => refresh('webhooks'), 3000)
    return () => clearInterval(timer)
  }, [isWaiting])
  const isOpen = address.delivery !== undefined || address.settings !== undefined
  const close = () => change({ delivery: undefined, settings: undefined })
  if (webhook.error)
    return (
      <Section name="webhooks">
        <ErrorState title={t.settings.loadFailed} error={webhook.error} retry={webhook.refetch} />
      </Section>
    )
  return (
    <Section
      name="webhooks"
      title={webhook.data?.url ?? t.common.loading}
      actions={
        <>
          <Replay id={id} />
          <Button variant="default" onClick={() => change({ settings: '1', delivery: undefined })}>
            {texts.details}
          </Button>
        </>
      }
    >
      <Group className={classes.tools} gap="sm">
        <NativeSelect
          size="xs"
          aria-label={texts.status}
          value={address.status ?? ''}
          data={[
            { value: '', label: texts.all },
            ...Object.entries(texts.statuses).map(([value, label]) => ({ value, label })),
          ]}
          onChange={(event) => change({ status: event.currentTarget.value || undefined })}
        />
      </Group>
      <div className={classes.split}>
        <div className={classes.list}>
          {list.error ? (
            <ErrorState error={list.error} retry={list.retry} />
          ) : rows.length === 0 && !list.isLoading && !list.isPlaceholder ? (
            <EmptyState title={texts.noDeliveries} hint={texts.noDeliveriesHint}>
              <Button variant="default" onClick={() => change({ settings: '1' })}>
                {texts.details}
              </Button>
            </EmptyState>
          ) : (
            <DataTable
              label={texts.deliveries}
              rows={rows}
              columns={columns}
              nameOf={({ event }) => event}
              total={list.total}
              loading={list.isLoading}
              hasMore={list.hasMore}
              loadMore={list.loadMore}
              openKey={address.delivery}
              onOpen={(row) =>
                change({ delivery: row.id, settings: undefined }, { replace: address.delivery !== undefined })
              }
              onClose={close}
              sort={address.sort}
              onSort={(sort) => change({ sort })}
            />
          )}
        </div>
        <Panel
          title={address.delivery ? texts.deliveries : texts.details}
          opened={isOpen}
          onClose={close}
          width={460}
        >
          {address.delivery ? (
            <DeliveryDetail key={address.delivery} webhookId={id} id={address.delivery} />
          ) : webhook.data ? (
            <WebhookPanel
              webhook={webhook.data}
              close={() => navigate({ to: '/settings/webhooks' })}
              isPage
            />
          ) : (
            <Skeleton height={160} />
          )}
        </Panel>
      </div>
    </Section>
  )
}

const Replay = ({ id }: { id: string }) => {
  const can = useCan()
  const texts = t.settings.webhooks
  const [open, setOpen] = useState(false)
  const [from, setFrom] = useState<string | null>(null)
  if (!can('webhooks_publish')) return null
  const run = async () => {
    try {
      await api.post('/webhooks/{id}/replay', { path: { id }, body: { from: from! } })
      setOpen(false)
      refresh('webhooks')
      toast(texts.replaying)
    } catch (error) {
      toastError(texts.replay, error)
    }
  }
  return (
    <Popover opened={open} onChange={setOpen} position="bottom-end" trapFocus>
      <Popover.Target>
        <Button variant="default" onClick={() => setOpen((before) => !before)}>
          {texts.replay}
        </Button>
      </Popover.Target>
      <Popover.Dropdown w={300}>
        <Stack gap="sm">
          <Text size="sm" c="dimmed">
            {texts.replayHint}
          </Text>
          <MomentInput label={texts.replayFrom} value={from} onChange={setFrom} />
          <Button onClick={run} disabled={from === null}>
            {texts.replay}
          </Button>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  )
}

export default WebhookPage
