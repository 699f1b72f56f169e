import { Button, Checkbox, Group, NumberInput, Stack, Textarea, TextInput, Title } from '@mantine/core'
import { formatDuration } from '../../../components/format.ts'
import { t } from '../../../texts/index.ts'
import classes from '../Music.module.css'
import { type Kind, type ProviderName, type ProviderRecord, providerFields, providersOf } from './record.ts'

type Held = Partial<Record<ProviderName, ProviderRecord[]>>
type Props = { kind: Kind; value: Held; onChange: (value: Held) => void; isFixed: boolean }

/** What providers tell of it: folded, one after the other. */
export const Providers = ({ kind, value, onChange, isFixed }: Props) => (
  <Stack gap="sm">
    <Title order={3} size="sm">
      {t.music.providers}
    </Title>
    {providersOf[kind].map((name) => {
      const records = value[name] ?? []
      const set = (next: ProviderRecord[]) => onChange({ ...value, [name]: next })
      return (
        <Stack key={name} gap="xs">
          {records.map((record, index) => (
            <OneRecord
              key={record.id || `new ${index}`}
              name={name}
              record={record}
              isFixed={isFixed}
              onChange={(next) => set(records.map((one, place) => (place === index ? next : one)))}
              onRemove={() => set(records.filter((_, place) => place !== index))}
            />
          ))}
          {!isFixed && (
            <Button
              size="compact-xs"
              variant="subtle"
              onClick={() => set([...records, { id: '', body: '' }])}
              style={{ alignSelf: 'flex-start' }}
            >
              {t.music.addProvider(t.music.provider[name])}
            </Button>
          )}
        </Stack>
      )
    })}
  </Stack>
)

const summaryOf = (name: ProviderName, { id, isrc, duration, body }: ProviderRecord): string =>
  [t.music.provider[name], isrc || body || id, typeof duration === 'number' && formatDuration(duration)]
    .filter(Boolean)
    .join(' · ')

type OneProps = {
  name: ProviderName
  record: ProviderRecord
  isFixed: boolean
  onChange: (record: ProviderRecord) => void
  onRemove: () => void
}

const OneRecord = ({ name, record, isFixed, onChange, onRemove }: OneProps) => {
  const set = (field: string, value: string | number | boolean | null) =>
    onChange({ ...record, [field]: value })
  const label = (field: string) => t.music.providerFields[field as keyof typeof t.music.providerFields]
  const fields = Object.entries({ id: 'text', body: 'text', ...providerFields[name] })
  return (
    <details className={classes.group} open={record.id === '' || undefined}>
      <summary>{summaryOf(name, record)}</summary>
      <Stack gap="xs" mt="sm">
        {fields.map(([field, type]) => {
          const given = {
            key: field,
            size: 'xs' as const,
            label: label(field),
            readOnly: isFixed,
            value: String(record[field] ?? ''),
          }
          const text = (event: { currentTarget: { value: string } }) => set(field, event.currentTarget.value)
          if (type === 'boolean')
            return (
              <Checkbox
                key={field}
                size="xs"
                label={label(field)}
                disabled={isFixed}
                checked={record[field] === true}
                onChange={(event) => set(field, event.currentTarget.checked)}
              />
            )
          if (type === 'number')
            return (
              <NumberInput
                {...given}
                key={field}
                min={0}
                hideControls
                allowDecimal={false}
                onChange={(value) => set(field, value === '' ? null : Number(value))}
              />
            )
          if (type === 'long')
            return <Textarea {...given} key={field} autosize minRows={2} maxRows={8} onChange={text} />
          return <TextInput {...given} key={field} type={type === 'date' ? 'date' : 'text'} onChange={text} />
        })}
        {!isFixed && (
          <Group>
            <Button size="compact-xs" variant="default" onClick={onRemove}>
              {t.music.removeProvider(t.music.provider[name])}
            </Button>
          </Group>
        )}
      </Stack>
    </details>
  )
}
