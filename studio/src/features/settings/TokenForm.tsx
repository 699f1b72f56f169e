import { NativeSelect, Stack, TextInput } from '@mantine/core'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { refresh, useRead } from '../../api/queries.ts'
import { MomentInput } from '../../components/MomentInput.tsx'
import { t } from '../../texts/index.ts'
import { FormEnd } from './parts/FormEnd.tsx'
import { type Scope, ScopePicker } from './parts/ScopePicker.tsx'
import { ShownOnce } from './parts/ShownOnce.tsx'
import { useForm } from './parts/use-form.ts'

const initial = {
  name: '',
  scopes: ['publications'] as Scope[],
  kind: 'environment' as 'environment' | 'organisation',
  visibility: '' as '' | 'published' | 'all',
  expiry: '90',
  expires_on: null as string | null,
  user: '',
}

const expiryOf = ({ expiry, expires_on }: typeof initial): string | null => {
  if (expiry === 'own') return expires_on
  return expiry === 'never' ? null : new Date(Date.now() + Number(expiry) * 86_400_000).toISOString()
}

/** A token is made, and its value shown once. */
export const TokenForm = ({ close }: { close: () => void }) => {
  const texts = t.settings.tokens
  const [value, setValue] = useState<string>()
  const users = useRead('/users', { query: { limit: 1000, total: false } }).data?.items ?? []
  const form = useForm(
    initial,
    async (values) => {
      const { name, scopes, kind, visibility, user } = values
      const made = await api.post('/tokens', {
        body: {
          name,
          scopes,
          kind,
          expires_on: expiryOf(values),
          ...(visibility && { visibility }),
          ...(user && { user: { id: user } }),
        },
      })
      setValue(made.value)
      refresh('tokens')
    },
    texts.creating,
  )
  if (value) return <ShownOnce label={texts.value} value={value} onDone={close} />
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
        <ScopePicker
          label={texts.scopes}
          value={form.values.scopes}
          error={form.faultOf('scopes')}
          onChange={(scopes) => form.set({ scopes })}
        />
        <NativeSelect
          label={texts.expires}
          {...form.text('expiry')}
          error={form.values.expiry === 'own' ? undefined : form.faultOf('expires_on')}
          data={(['30', '90', '365', 'never', 'own'] as const).map((choice) => ({
            value: choice,
            label: texts.expiry[choice],
          }))}
        />
        {form.values.expiry === 'own' && (
          <MomentInput
            label={texts.expiresOn}
            required
            withAsterisk={false}
            value={form.values.expires_on}
            error={form.faultOf('expires_on')}
            onChange={(expires_on) => form.set({ expires_on })}
          />
        )}
        <NativeSelect
          label={texts.kind}
          {...form.text('kind')}
          data={(['environment', 'organisation'] as const).map((kind) => ({
            value: kind,
            label: texts.kinds[kind],
          }))}
        />
        <NativeSelect
          label={texts.visibility}
          {...form.text('visibility')}
          data={[
            { value: '', label: texts.byScopes },
            { value: 'published', label: texts.visibilities.published },
            { value: 'all', label: texts.visibilities.all },
          ]}
        />
        <NativeSelect
          label={texts.user}
          {...form.text('user')}
          data={[
            { value: '', label: texts.nobody },
            ...users.map(({ id, name }) => ({ value: id, label: name })),
          ]}
        />
        <FormEnd save={texts.create} busy={form.busy} />
      </Stack>
    </form>
  )
}
