import { Stack, TextInput } from '@mantine/core'
import type { Marquee } from 'marquee-sdk'
import { useMemo } from 'react'
import { useCan } from '../../api/access.ts'
import { t } from '../../texts/index.ts'
import { FormEnd } from './parts/FormEnd.tsx'
import { RecordSection } from './parts/RecordSection.tsx'
import { removeRecord, saveRecord } from './parts/records.ts'
import { removeLater } from './parts/remove-later.tsx'
import { useForm } from './parts/use-form.ts'
import { changedColumn, nameColumn } from './small-columns.tsx'

type Status = Marquee.Status

const StatusesPage = () => {
  const can = useCan()
  const texts = t.settings.statuses
  return (
    <RecordSection<Status>
      name="statuses"
      path="/statuses"
      columns={useMemo(() => [nameColumn<Status>('body'), changedColumn<Status>()], [])}
      nameOf={({ body }) => body}
      empty={{ title: texts.first, hint: texts.firstHint }}
      add={can('statuses_publish') ? texts.new : undefined}
    >
      {(row, close) => <StatusForm row={row} close={close} />}
    </RecordSection>
  )
}

const StatusForm = ({ row, close }: { row: Status | undefined; close: () => void }) => {
  const can = useCan()
  const before = { body: row?.body ?? '' }
  const form = useForm(before, async (values) => {
    await saveRecord('/statuses', row, values.body, values, before)
    close()
  })
  const remove = () => {
    close()
    removeLater(row!.id, t.settings.goes(row!.body), 'statuses', () => removeRecord('/statuses', row!.id))
  }
  const mayWrite = can('statuses_publish')
  return (
    <form onSubmit={form.submit}>
      <Stack gap="md">
        <TextInput
          label={t.settings.name}
          required
          withAsterisk={false}
          data-autofocus
          readOnly={!mayWrite}
          {...form.text('body')}
        />
        {mayWrite && (
          <FormEnd
            save={row ? t.actions.save : t.settings.statuses.create}
            busy={form.busy}
            onRemove={row && remove}
          />
        )}
      </Stack>
    </form>
  )
}

export default StatusesPage
