import { Fieldset, Stack, TextInput } from '@mantine/core'
import type { Marquee } from 'marquee-sdk'
import { useMemo } from 'react'
import { useCan } from '../../api/access.ts'
import { formatNumber } from '../../components/format.ts'
import { t } from '../../texts/index.ts'
import { FormEnd } from './parts/FormEnd.tsx'
import { type Pair, Pairs, sentPairs } from './parts/Pairs.tsx'
import { RecordSection } from './parts/RecordSection.tsx'
import { removeRecord, saveRecord } from './parts/records.ts'
import { removeLater } from './parts/remove-later.tsx'
import { useForm } from './parts/use-form.ts'
import { changedColumn, nameColumn } from './small-columns.tsx'

type Configuration = Marquee.Configuration

const ConfigurationsPage = () => {
  const can = useCan()
  const texts = t.settings.configurations
  const columns = useMemo(
    () => [
      nameColumn<Configuration>('body'),
      {
        key: 'settings',
        title: texts.settings,
        width: '120px',
        small: 'second' as const,
        render: ({ settings }: Configuration) =>
          texts.count(formatNumber(Object.keys(settings ?? {}).length)),
      },
      changedColumn<Configuration>(),
    ],
    [texts],
  )
  return (
    <RecordSection<Configuration>
      name="configurations"
      path="/configurations"
      columns={columns}
      nameOf={({ body }) => body}
      empty={{ title: texts.first, hint: texts.firstHint }}
      add={can('configurations_publish') ? texts.new : undefined}
      width={460}
    >
      {(row, close) => <ConfigurationForm row={row} close={close} />}
    </RecordSection>
  )
}

const ConfigurationForm = ({ row, close }: { row: Configuration | undefined; close: () => void }) => {
  const can = useCan()
  const texts = t.settings.configurations
  const held = row?.settings ?? {}
  const form = useForm(
    { body: row?.body ?? '', pairs: Object.entries(held) as Pair[] },
    async ({ body, pairs }) => {
      const now = Object.fromEntries(pairs)
      // Values are merged: what is new now goes when it is undone.
      const before = { body: row?.body, settings: sentPairs(Object.entries(held), now) }
      await saveRecord('/configurations', row, body, { body, settings: sentPairs(pairs, held) }, before)
      close()
    },
  )
  const remove = () => {
    close()
    removeLater(row!.id, t.settings.goes(row!.body), 'configurations', () =>
      removeRecord('/configurations', row!.id),
    )
  }
  const mayWrite = can('configurations_publish')
  return (
    <form onSubmit={form.submit}>
      <Fieldset variant="unstyled" disabled={!mayWrite}>
        <Stack gap="md">
          <TextInput
            label={t.settings.name}
            required
            withAsterisk={false}
            data-autofocus
            {...form.text('body')}
          />
          <Pairs
            label={texts.settings}
            value={form.values.pairs}
            error={form.faultOf('settings')}
            onChange={(pairs) => form.set({ pairs })}
          />
          {mayWrite && (
            <FormEnd save={row ? t.actions.save : texts.create} busy={form.busy} onRemove={row && remove} />
          )}
        </Stack>
      </Fieldset>
    </form>
  )
}

export default ConfigurationsPage
