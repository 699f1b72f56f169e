import { NativeSelect, Stack, TagsInput, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../../api/client.ts'
import { MomentInput } from '../../../components/MomentInput.tsx'
import { t } from '../../../texts/index.ts'
import type { Form } from './form.ts'
import { Providers } from './Providers.tsx'
import type { Kind, Status } from './record.ts'

type Props = {
  kind: Kind
  form: Form
  onChange: (changes: Partial<Form>) => void
  faults: Record<string, string>
  isFixed: boolean
}

/** The fields of an artist or a track. */
export const RecordForm = ({ kind, form, onChange, faults, isFixed }: Props) => {
  const text = (name: 'body' | 'artist_text' | 'reference_unique') => ({
    value: form[name],
    error: faults[name],
    readOnly: isFixed,
    onChange: (event: { currentTarget: { value: string } }) =>
      onChange({ [name]: event.currentTarget.value }),
  })
  return (
    <Stack gap="md">
      <TextInput
        label={kind === 'tracks' ? t.music.title : t.music.name}
        required
        data-autofocus
        {...text('body')}
      />
      {kind === 'tracks' && (
        <>
          <Names
            label={t.music.artistsOf}
            hint={t.music.artistsHint2}
            path="/v5/artists"
            value={form.artists}
            error={faults.artists}
            isFixed={isFixed}
            onChange={(artists) => onChange({ artists })}
          />
          <TextInput
            label={t.music.performers}
            description={t.music.performersHint}
            {...text('artist_text')}
          />
        </>
      )}
      <NativeSelect
        label={t.music.status}
        value={form.status}
        disabled={isFixed}
        onChange={(event) => onChange({ status: event.currentTarget.value as Status })}
        data={Object.entries(t.music.statuses).map(([value, label]) => ({ value, label }))}
      />
      <MomentInput
        label={t.music.publishedOn}
        value={form.published_on}
        error={faults.published_on}
        readOnly={isFixed}
        onChange={(published_on) => onChange({ published_on })}
      />
      <MomentInput
        label={t.music.unpublishOn}
        value={form.unpublish_on}
        error={faults.unpublish_on}
        readOnly={isFixed}
        onChange={(unpublish_on) => onChange({ unpublish_on })}
      />
      <TextInput
        label={t.music.reference}
        description={t.music.referenceHint}
        {...text('reference_unique')}
      />
      <Names
        label={t.music.tags}
        path="/tags"
        value={form.tags}
        error={faults.tags}
        isFixed={isFixed}
        onChange={(tags) => onChange({ tags })}
      />
      <TagsInput
        label={t.music.custom}
        description={t.music.customHint}
        value={form.custom}
        readOnly={isFixed}
        error={faults.custom}
        onChange={(custom) => onChange({ custom })}
      />
      <Providers
        kind={kind}
        value={form.providers}
        isFixed={isFixed}
        onChange={(providers) => onChange({ providers })}
      />
    </Stack>
  )
}

type NamesProps = {
  label: string
  hint?: string
  path: '/tags' | '/v5/artists'
  value: string[]
  error: string | undefined
  isFixed: boolean
  onChange: (value: string[]) => void
}

/** Names that are there already are offered while they are typed. */
const Names = ({ label, hint, path, value, error, isFixed, onChange }: NamesProps) => {
  const [typed, setTyped] = useState('')
  const [words] = useDebouncedValue(typed, 180)
  const { data = [] } = useQuery({
    queryKey: [path === '/tags' ? 'tags' : 'artists', 'names', words],
    queryFn: async () => {
      const query = { limit: 20, total: false, ...(words && { q: words }) }
      const { items } = await api.get(path, { query } as never)
      return [...new Set((items as { body: string }[]).map(({ body }) => body))]
    },
    placeholderData: keepPreviousData,
  })
  return (
    <TagsInput
      label={label}
      description={hint}
      value={value}
      error={error}
      readOnly={isFixed}
      data={data}
      searchValue={typed}
      onSearchChange={setTyped}
      onChange={onChange}
      splitChars={[]}
    />
  )
}
