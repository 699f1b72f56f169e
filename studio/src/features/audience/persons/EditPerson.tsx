import { Button, Group, NativeSelect, Stack, Switch, Textarea, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { api } from '../../../api/client.ts'
import { refresh } from '../../../api/queries.ts'
import { faultsOf } from '../../../components/explain.ts'
import { MomentInput } from '../../../components/MomentInput.tsx'
import { toast, toastError } from '../../../components/toast.tsx'
import { t } from '../../../texts/index.ts'
import { type Person, personName } from '../person.ts'

const short = [
  'first_name',
  'prefix_last_name',
  'last_name',
  'nickname',
  'initials',
  'preposition',
  'date_of_birth',
  'company',
  'job_title',
  'social_media_handle',
  'source',
  'reference_id',
] as const
const long = ['description', 'biography'] as const
const lists = ['emails', 'phones', 'tags', 'custom'] as const

type Draft = Record<string, string | boolean | null>

/** Lists are written line by line: what stays the same keeps its record. */
const linesOf = (person: Person, name: (typeof lists)[number]): string[] => {
  if (name === 'custom') return person.custom
  if (name === 'emails') return (person.emails?.items ?? []).map(({ email }) => email)
  if (name === 'phones') return (person.phones?.items ?? []).map(({ phone }) => phone)
  return (person.tags?.items ?? []).map(({ body }) => body)
}

const draftOf = (person: Person): Draft => ({
  ...Object.fromEntries([...short, ...long].map((name) => [name, person[name] ?? ''])),
  ...Object.fromEntries(lists.map((name) => [name, linesOf(person, name).join('\n')])),
  gender: person.gender ?? '',
  exclude_until: person.exclude_until,
  tracking: person.tracking !== false,
})

const listValue = (name: (typeof lists)[number], text: string): unknown[] => {
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
  return name === 'tags' ? lines.map((body) => ({ body })) : lines
}

/** Only what was changed, so that a colleague's change of something else stays. */
const changesIn = (before: Draft, now: Draft): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(now)
      .filter(([name, value]) => value !== before[name])
      .map(([name, value]) => [
        name,
        lists.includes(name as 'tags')
          ? listValue(name as 'tags', value as string)
          : value === ''
            ? null
            : value,
      ]),
  )

export const EditPerson = ({ person, onDone }: { person: Person; onDone: () => void }) => {
  const [before] = useState(() => draftOf(person))
  const [draft, setDraft] = useState(before)
  const [faults, setFaults] = useState<Record<string, string>>({})
  const fault = (name: string) =>
    Object.entries(faults).find(([path]) => path === name || path.startsWith(`${name}.`))?.[1]
  const set = (name: string, value: string | boolean | null) => setDraft((now) => ({ ...now, [name]: value }))
  const put = async (changes: object) => {
    await api.put('/persons/{id}', { path: { id: person.id }, body: changes as never })
    refresh('persons')
  }
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const changes = changesIn(before, draft)
    try {
      if (Object.keys(changes).length > 0) {
        await put(changes)
        toast(t.audience.saved(personName(person)), () => put(changesIn(draft, before)))
      }
      onDone()
    } catch (error) {
      setFaults(faultsOf(error))
      toastError(t.audience.saving, error)
    }
  }
  const { fields } = t.audience
  const common = (name: keyof typeof fields) => ({
    size: 'xs' as const,
    label: fields[name],
    error: fault(name),
    value: (draft[name] as string) ?? '',
    onChange: (event: { currentTarget: { value: string } }) => set(name, event.currentTarget.value),
  })
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        {short.map((name) => (
          <TextInput key={name} {...common(name)} type={name === 'date_of_birth' ? 'date' : 'text'} />
        ))}
        <NativeSelect
          {...common('gender')}
          data={[
            { value: '', label: '' },
            ...Object.entries(t.audience.genders).map(([value, label]) => ({ value, label })),
          ]}
        />
        {lists.map((name) => (
          <Textarea key={name} {...common(name)} description={t.audience.oneEach} autosize minRows={1} />
        ))}
        {long.map((name) => (
          <Textarea key={name} {...common(name)} autosize minRows={2} />
        ))}
        <MomentInput
          size="xs"
          label={fields.exclude_until}
          error={fault('exclude_until')}
          value={draft.exclude_until as string | null}
          onChange={(moment) => set('exclude_until', moment)}
        />
        <Switch
          size="xs"
          label={fields.tracking}
          checked={draft.tracking as boolean}
          onChange={(event) => set('tracking', event.currentTarget.checked)}
        />
        <Group gap="sm" mt="sm">
          <Button type="submit" size="xs">
            {t.actions.save}
          </Button>
          <Button size="xs" variant="default" onClick={onDone}>
            {t.actions.cancel}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
