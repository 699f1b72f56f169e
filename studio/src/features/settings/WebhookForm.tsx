import { MultiSelect, Stack, Switch, Textarea, TextInput } from '@mantine/core'
import type { Marquee } from 'marquee-sdk'
import { useState } from 'react'
import { useCan } from '../../api/access.ts'
import { t } from '../../texts/index.ts'
import { FormEnd } from './parts/FormEnd.tsx'
import { type Pair, Pairs } from './parts/Pairs.tsx'
import { saveRecord } from './parts/records.ts'
import { useForm } from './parts/use-form.ts'
import classes from './Settings.module.css'
import { webhookEvents } from './webhook-events.ts'

type Webhook = Marquee.Webhook
type Props = {
  webhook: Webhook | undefined
  onSaved: (webhook: Webhook & { secret?: string }) => void
  onRemove?: () => void
}

const readFilter = (text: string): object | null => (text.trim() === '' ? null : JSON.parse(text))

export const WebhookForm = ({ webhook, onSaved, onRemove }: Props) => {
  const can = useCan()
  const texts = t.settings.webhooks
  const [isWrong, setWrong] = useState(false)
  const before = {
    url: webhook?.url ?? '',
    events: webhook?.events ?? ['publication.published', 'publication.unpublished'],
    active: webhook?.active ?? true,
    headers: webhook?.headers ?? {},
    filter: webhook?.filter ?? null,
  }
  const form = useForm(
    {
      ...before,
      pairs: Object.entries(before.headers) as Pair[],
      filterText: before.filter ? JSON.stringify(before.filter, null, 2) : '',
    },
    async ({ url, events, active, pairs, filterText }) => {
      let filter: object | null
      try {
        filter = readFilter(filterText)
        setWrong(false)
      } catch {
        setWrong(true)
        return
      }
      const headers = Object.fromEntries(pairs.filter(([name]) => name !== ''))
      const body = { url: url.trim(), events, active, headers, filter }
      onSaved(await saveRecord('/webhooks', webhook, url, body, before))
    },
  )
  const readOnly = !can('webhooks_publish')
  return (
    <form onSubmit={form.submit}>
      <Stack gap="md">
        <TextInput
          label={texts.url}
          type="url"
          placeholder="https://"
          required
          withAsterisk={false}
          readOnly={readOnly}
          data-autofocus
          {...form.text('url')}
        />
        <MultiSelect
          label={texts.events}
          description={texts.eventsHint}
          searchable
          readOnly={readOnly}
          data={webhookEvents}
          value={form.values.events}
          error={form.faultOf('events')}
          onChange={(events) => form.set({ events })}
        />
        <Textarea
          label={texts.filter}
          description={texts.filterHint}
          className={classes.mono}
          autosize
          minRows={1}
          maxRows={10}
          spellCheck={false}
          readOnly={readOnly}
          {...form.text('filterText')}
          error={isWrong ? texts.badJson : form.faultOf('filter')}
        />
        {!readOnly && (
          <Pairs
            label={texts.headers}
            description={texts.headersHint}
            value={form.values.pairs}
            error={form.faultOf('headers')}
            onChange={(pairs) => form.set({ pairs })}
          />
        )}
        <Switch label={texts.activeLabel} disabled={readOnly} {...form.check('active')} />
        {!readOnly && (
          <FormEnd save={webhook ? t.actions.save : texts.create} busy={form.busy} onRemove={onRemove} />
        )}
      </Stack>
    </form>
  )
}
