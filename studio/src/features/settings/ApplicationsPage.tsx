import { Button, NativeSelect, Stack, Text, TextInput } from '@mantine/core'
import type { Marquee } from 'marquee-sdk'
import { useMemo, useState } from 'react'
import { api } from '../../api/client.ts'
import { refresh } from '../../api/queries.ts'
import type { Column } from '../../components/DataTable.tsx'
import { formatNumber } from '../../components/format.ts'
import { RelativeTime } from '../../components/RelativeTime.tsx'
import { toastError } from '../../components/toast.tsx'
import { t } from '../../texts/index.ts'
import { FormEnd } from './parts/FormEnd.tsx'
import { RecordSection } from './parts/RecordSection.tsx'
import { removeRecord, saveRecord } from './parts/records.ts'
import { removeLater } from './parts/remove-later.tsx'
import { type Scope, ScopePicker } from './parts/ScopePicker.tsx'
import { ShownOnce } from './parts/ShownOnce.tsx'
import { useForm } from './parts/use-form.ts'
import classes from './Settings.module.css'

type Application = Marquee.Application

const useColumns = (): Column<Application>[] =>
  useMemo(
    () => [
      {
        key: 'name',
        title: t.settings.name,
        width: 'minmax(140px, 2fr)',
        sortKey: 'name',
        small: 'first',
        render: ({ name }) => <span className={`${classes.name} ellipsis`}>{name}</span>,
      },
      {
        key: 'client_id',
        title: t.settings.applications.clientId,
        width: 'minmax(140px, 2fr)',
        keep: 1,
        small: 'second',
        render: ({ client_id }) => <code className="ellipsis">{client_id}</code>,
      },
      {
        key: 'scopes',
        title: t.settings.tokens.scopes,
        width: '110px',
        render: ({ scopes }) => t.settings.tokens.scopeCount(formatNumber(scopes.length)),
      },
      {
        key: 'created_on',
        title: t.settings.createdOn,
        width: '120px',
        sortKey: 'created_on',
        keep: 2,
        render: ({ created_on }) => <RelativeTime at={created_on} />,
      },
    ],
    [],
  )

const ApplicationsPage = () => {
  const texts = t.settings.applications
  return (
    <RecordSection<Application>
      name="applications"
      path="/applications"
      columns={useColumns()}
      nameOf={({ name }) => name}
      empty={{ title: texts.first, hint: texts.firstHint }}
      add={texts.new}
      width={480}
    >
      {(row, close) => <ApplicationForm row={row} close={close} />}
    </RecordSection>
  )
}

const ApplicationForm = ({ row, close }: { row: Application | undefined; close: () => void }) => {
  const texts = t.settings.applications
  const [secret, setSecret] = useState<{ id: string; value: string }>()
  const before = {
    name: row?.name ?? '',
    scopes: (row?.scopes ?? ['publications']) as Scope[],
    visibility: row?.visibility ?? 'published',
  }
  const form = useForm(before, async (values) => {
    const made = await saveRecord<Marquee.NewApplication>('/applications', row, values.name, values, before)
    if (made.client_secret) setSecret({ id: made.client_id, value: made.client_secret })
    else close()
  })
  const renew = async () => {
    try {
      const { client_id, client_secret } = await api.post('/applications/{id}/secret', {
        path: { id: row!.id },
      })
      setSecret({ id: client_id, value: client_secret! })
      refresh('applications')
    } catch (error) {
      toastError(texts.newSecret, error)
    }
  }
  const remove = () => {
    close()
    removeLater(row!.id, t.settings.goes(row!.name), 'applications', () =>
      removeRecord('/applications', row!.id),
    )
  }
  if (secret)
    return (
      <Stack>
        <TextInput label={texts.clientId} readOnly value={secret.id} />
        <ShownOnce label={texts.secret} value={secret.value} onDone={close} />
      </Stack>
    )
  return (
    <form onSubmit={form.submit}>
      <Stack gap="md">
        <TextInput
          label={t.settings.name}
          required
          withAsterisk={false}
          data-autofocus
          {...form.text('name')}
        />
        {row && <TextInput label={texts.clientId} readOnly value={row.client_id} />}
        <ScopePicker
          label={t.settings.tokens.scopes}
          value={form.values.scopes}
          error={form.faultOf('scopes')}
          onChange={(scopes) => form.set({ scopes })}
        />
        <NativeSelect
          label={t.settings.tokens.visibility}
          {...form.text('visibility')}
          data={(['published', 'all'] as const).map((value) => ({
            value,
            label: t.settings.tokens.visibilities[value],
          }))}
        />
        {row && (
          <div>
            <Button variant="default" onClick={renew}>
              {texts.newSecret}
            </Button>
            <Text size="xs" c="dimmed" mt={4}>
              {texts.newSecretHint}
            </Text>
          </div>
        )}
        <FormEnd save={row ? t.actions.save : texts.create} busy={form.busy} onRemove={row && remove} />
      </Stack>
    </form>
  )
}

export default ApplicationsPage
