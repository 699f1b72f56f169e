import { Button, Group, Skeleton, Stack, Text, Title } from '@mantine/core'
import { useCan } from '../../api/access.ts'
import { api } from '../../api/client.ts'
import { refresh, useRead } from '../../api/queries.ts'
import { ErrorState } from '../../components/ErrorState.tsx'
import { formatNumber } from '../../components/format.ts'
import { RelativeTime } from '../../components/RelativeTime.tsx'
import { toast, toastError } from '../../components/toast.tsx'
import { t } from '../../texts/index.ts'
import { Facts } from './parts/Facts.tsx'
import classes from './Settings.module.css'

/** What was sent, what came back, and sending it again. */
export const DeliveryDetail = ({ webhookId, id }: { webhookId: string; id: string }) => {
  const can = useCan()
  const texts = t.settings.webhooks
  const path = { id: webhookId, delivery_id: id }
  const read = useRead('/webhooks/{id}/deliveries/{delivery_id}', { path })
  if (read.error) return <ErrorState title={t.settings.loadFailed} error={read.error} retry={read.refetch} />
  const delivery = read.data
  if (!delivery) return <Skeleton height={200} />
  const again = async () => {
    try {
      await api.post('/webhooks/{id}/deliveries/{delivery_id}/redeliver', { path })
      refresh('webhooks')
      toast(texts.redelivered)
    } catch (error) {
      toastError(texts.redelivering, error)
    }
  }
  return (
    <Stack gap="md">
      <Facts
        facts={[
          [texts.event, delivery.event],
          [texts.status, texts.statuses[delivery.status]],
          [texts.source, texts.sources[delivery.source]],
          [texts.answer, delivery.error ?? delivery.response_status ?? ''],
          [texts.attempts, formatNumber(delivery.attempts)],
          [texts.duration, delivery.duration === null ? '' : `${formatNumber(delivery.duration)} ms`],
          [texts.when, <RelativeTime key="when" at={delivery.attempted_on ?? delivery.created_on} />],
          [texts.next, <RelativeTime key="next" at={delivery.next_attempt_on} none="–" />],
        ]}
      />
      {can('webhooks_publish') && (
        <Group>
          <Button variant="default" onClick={again}>
            {texts.redeliver}
          </Button>
        </Group>
      )}
      <Title order={3} size="sm">
        {texts.request}
      </Title>
      {delivery.request?.headers && (
        <code className={classes.code}>
          {Object.entries(delivery.request.headers)
            .map(([name, value]) => `${name}: ${value}`)
            .join('\n')}
        </code>
      )}
      {delivery.request?.body ? (
        <code className={classes.code}>{pretty(delivery.request.body)}</code>
      ) : (
        <Text size="sm" c="dimmed">
          {texts.noBody}
        </Text>
      )}
      {delivery.response && (
        <>
          <Title order={3} size="sm">
            {texts.response}
          </Title>
          <code className={classes.code}>
            {delivery.response.status}
            {delivery.response.head && `\n${delivery.response.head}`}
          </code>
        </>
      )}
    </Stack>
  )
}

const pretty = (body: string): string => {
  try {
    return JSON.stringify(JSON.parse(body), null, 2)
  } catch {
    return body
  }
}
