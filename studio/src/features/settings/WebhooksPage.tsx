import { useNavigate } from '@tanstack/react-router'
import type { Marquee } from 'marquee-sdk'
import { useMemo, useState } from 'react'
import { useCan } from '../../api/access.ts'
import type { Column } from '../../components/DataTable.tsx'
import { formatNumber } from '../../components/format.ts'
import { RelativeTime } from '../../components/RelativeTime.tsx'
import { StatusMark } from '../../components/StatusMark.tsx'
import { t } from '../../texts/index.ts'
import { RecordSection } from './parts/RecordSection.tsx'
import { ShownOnce } from './parts/ShownOnce.tsx'
import classes from './Settings.module.css'
import { WebhookForm } from './WebhookForm.tsx'
import { WebhookPanel } from './WebhookPanel.tsx'

type Webhook = Marquee.Webhook

const WebhookState = ({ webhook }: { webhook: Webhook }) => {
  const texts = t.settings.webhooks
  if (!webhook.active) return <StatusMark meaning="gone">{texts.paused}</StatusMark>
  if (webhook.failing_since) return <StatusMark meaning="danger">{texts.failing}</StatusMark>
  return <StatusMark meaning="done">{texts.active}</StatusMark>
}

const useColumns = (): Column<Webhook>[] =>
  useMemo(
    () => [
      {
        key: 'url',
        title: t.settings.webhooks.url,
        width: 'minmax(200px, 3fr)',
        sortKey: 'url',
        small: 'first',
        render: ({ url }) => <span className={`${classes.name} ellipsis`}>{url}</span>,
      },
      {
        key: 'state',
        title: t.settings.state,
        width: '110px',
        small: 'second',
        render: (webhook) => <WebhookState webhook={webhook} />,
      },
      {
        key: 'events',
        title: t.settings.webhooks.events,
        width: 'minmax(120px, 2fr)',
        keep: 2,
        small: 'second',
        render: ({ events }) => (
          <span className="ellipsis" title={events.join(', ')}>
            {events.length === 1 ? events[0] : t.settings.webhooks.eventCount(formatNumber(events.length))}
          </span>
        ),
      },
      {
        key: 'created_on',
        title: t.settings.createdOn,
        width: '120px',
        sortKey: 'created_on',
        keep: 1,
        render: ({ created_on }) => <RelativeTime at={created_on} />,
      },
    ],
    [],
  )

const WebhooksPage = () => {
  const can = useCan()
  const texts = t.settings.webhooks
  return (
    <RecordSection<Webhook>
      name="webhooks"
      path="/webhooks"
      columns={useColumns()}
      nameOf={({ url }) => url}
      searchBy={{ name: 'url[fz]', label: t.common.search }}
      empty={{ title: texts.first, hint: texts.firstHint }}
      add={can('webhooks_publish') ? texts.new : undefined}
      width={460}
    >
      {(row, close) => (row ? <WebhookPanel webhook={row} close={close} /> : <NewWebhook close={close} />)}
    </RecordSection>
  )
}

const NewWebhook = ({ close }: { close: () => void }) => {
  const navigate = useNavigate()
  const [made, setMade] = useState<{ id: string; secret: string }>()
  if (!made)
    return <WebhookForm webhook={undefined} onSaved={({ id, secret }) => secret && setMade({ id, secret })} />
  return (
    <ShownOnce
      label={t.settings.webhooks.secret}
      value={made.secret}
      onDone={() => {
        close()
        navigate({ to: '/settings/webhooks/$id', params: { id: made.id } } as never)
      }}
    />
  )
}

export default WebhooksPage
