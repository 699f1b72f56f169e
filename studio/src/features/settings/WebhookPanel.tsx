import { Button, Group, Stack, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { Marquee } from 'marquee-sdk'
import { useState } from 'react'
import { useCan } from '../../api/access.ts'
import { api } from '../../api/client.ts'
import { refresh } from '../../api/queries.ts'
import { formatTime } from '../../components/format.ts'
import { toast, toastError } from '../../components/toast.tsx'
import { t } from '../../texts/index.ts'
import { removeRecord } from './parts/records.ts'
import { removeLater } from './parts/remove-later.tsx'
import { ShownOnce } from './parts/ShownOnce.tsx'
import classes from './Settings.module.css'
import { WebhookForm } from './WebhookForm.tsx'

type Webhook = Marquee.Webhook

/** What the service has to say of a webhook, a test of it, a new secret, and its settings. */
export const WebhookPanel = ({
  webhook,
  close,
  isPage = false,
}: {
  webhook: Webhook
  close: () => void
  isPage?: boolean
}) => {
  const can = useCan()
  const texts = t.settings.webhooks
  const { id, url } = webhook
  const [secret, setSecret] = useState<string>()
  const [busy, setBusy] = useState(false)
  const test = async () => {
    setBusy(true)
    try {
      const sent = await api.post('/webhooks/{id}/test', { path: { id } })
      if (sent.status === 'delivered') toast(texts.tested)
      else toast(texts.testFailed(sent.error ?? String(sent.response_status ?? texts.statuses[sent.status])))
      refresh('webhooks')
    } catch (error) {
      toastError(texts.testing, error)
    }
    setBusy(false)
  }
  const rotate = async () => {
    try {
      const changed = await api.post('/webhooks/{id}/rotate_secret', { path: { id } })
      setSecret((changed as { secret?: string }).secret)
      refresh('webhooks')
    } catch (error) {
      toastError(texts.rotate, error)
    }
  }
  const remove = () => {
    close()
    removeLater(id, t.settings.goes(url), 'webhooks', () => removeRecord('/webhooks', id))
  }
  return (
    <Stack gap="lg">
      {webhook.switched_off && (
        <div className={classes.notice} role="alert">
          {texts.switchedOff(webhook.switched_off.reason)}
        </div>
      )}
      {webhook.active && webhook.failing_since && (
        <div className={classes.notice} role="alert">
          {texts.failingSince(formatTime(webhook.failing_since))}
        </div>
      )}
      {secret && <ShownOnce label={texts.secret} value={secret} onDone={() => setSecret(undefined)} />}
      <Group gap="sm">
        {!isPage && (
          <Button
            variant="default"
            component={Link}
            {...({ to: '/settings/webhooks/$id', params: { id } } as object)}
          >
            {texts.deliveries}
          </Button>
        )}
        {can('webhooks_publish') && (
          <>
            <Button variant="default" onClick={test} loading={busy}>
              {texts.test}
            </Button>
            <Button variant="default" onClick={rotate} title={texts.rotateHint}>
              {texts.rotate}
            </Button>
          </>
        )}
      </Group>
      {can('webhooks_publish') && !isPage && (
        <Text size="xs" c="dimmed">
          {texts.rotate}: {texts.rotateHint}
        </Text>
      )}
      <WebhookForm
        key={webhook.changed_on}
        webhook={webhook}
        onSaved={() => !isPage && close()}
        onRemove={remove}
      />
    </Stack>
  )
}
