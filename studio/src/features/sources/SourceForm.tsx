import { Checkbox, NativeSelect, PasswordInput, SegmentedControl, Stack, TextInput } from '@mantine/core'
import { useIsSmall } from '../../components/small.ts'
import { language, t } from '../../texts/index.ts'
import { type Followable, followable, type Kind, type Source } from './source.ts'

export type Values = {
  label: Kind
  /** Address, account or hashtag. */
  target: string
  name: string
  shortname: string
  tag: string
  username: string
  password: string
  favorite: boolean
  active: boolean
  /** Seconds, or empty for learned. */
  interval: string
}

export const emptyValues = (label: Followable): Values => ({
  label,
  target: '',
  name: '',
  shortname: '',
  tag: '',
  username: '',
  password: '',
  favorite: false,
  active: true,
  interval: '',
})

export const valuesOf = (source: Source): Values => ({
  ...emptyValues('Rss'),
  label: source.label,
  target: source.url ?? source.screen_name ?? source.body ?? '',
  name: source.name,
  shortname: source.shortname ?? '',
  tag: source.tag ?? '',
  username: source.username ?? '',
  favorite: source.favorite,
  active: source.active,
  interval: source.adaptive ? '' : String(source.interval),
})

type Props = {
  values: Values
  onChange: (values: Values) => void
  faults: Record<string, string>
  /** Absent while it is followed for the first time. */
  source?: Source | undefined
}

const steps = [300, 900, 3600, 21_600, 86_400]

const everyText = (seconds: number): string => {
  const [value, unit] =
    seconds < 3600
      ? [seconds / 60, 'minute']
      : seconds < 86_400
        ? [seconds / 3600, 'hour']
        : [seconds / 86_400, 'day']
  const format = new Intl.NumberFormat(language, {
    style: 'unit',
    unit: unit as string,
    unitDisplay: 'long',
    maximumFractionDigits: 1,
  })
  return t.sources.every(format.format(value as number))
}

/** What is followed and how. What a source follows is its own for good, but for an address. */
export const SourceForm = ({ values, onChange, faults, source }: Props) => {
  const small = useIsSmall('phone')
  const set = (changes: Partial<Values>) => onChange({ ...values, ...changes })
  const text = (name: keyof Values & string, path = name) => ({
    value: values[name] as string,
    error: faults[path],
    onChange: (event: { currentTarget: { value: string } }) => set({ [name]: event.currentTarget.value }),
  })
  const given = targets()[values.label]
  const known =
    values.interval !== '' && !steps.includes(Number(values.interval)) ? [Number(values.interval)] : []
  return (
    <Stack gap="md">
      {!source && (
        <SegmentedControl
          aria-label={t.sources.what}
          orientation={small ? 'vertical' : 'horizontal'}
          fullWidth
          size="xs"
          value={values.label}
          onChange={(label) => set({ label: label as Followable })}
          data={followable.map((one) => ({ value: one, label: t.sources.kinds[one] }))}
        />
      )}
      {given && (!source || given.path === 'url') && (
        <TextInput
          label={given.label}
          description={given.hint}
          placeholder={given.example}
          required
          data-autofocus
          dir="ltr"
          {...text('target', given.path as never)}
        />
      )}
      <TextInput
        label={t.sources.name}
        description={source ? undefined : t.sources.nameHint}
        {...text('name')}
      />
      {values.label === 'Ftp' && (
        <>
          <TextInput label={t.sources.username} autoComplete="off" {...text('username')} />
          <PasswordInput
            label={t.sources.password}
            description={source ? t.sources.passwordKept : undefined}
            autoComplete="new-password"
            visibilityToggleButtonProps={{ 'aria-label': t.signIn.show }}
            {...text('password')}
          />
        </>
      )}
      <TextInput label={t.sources.shortname} {...text('shortname')} />
      <TextInput label={t.sources.tag} {...text('tag')} />
      <NativeSelect
        label={t.sources.how}
        error={faults.interval}
        value={values.interval}
        onChange={(event) => set({ interval: event.currentTarget.value })}
        data={[
          { value: '', label: t.sources.learned },
          ...[...steps, ...known]
            .sort((a, b) => a - b)
            .map((seconds) => ({ value: String(seconds), label: everyText(seconds) })),
        ]}
      />
      <Checkbox
        label={t.sources.favorite}
        checked={values.favorite}
        onChange={(event) => set({ favorite: event.currentTarget.checked })}
      />
      <Checkbox
        label={t.sources.active}
        checked={values.active}
        onChange={(event) => set({ active: event.currentTarget.checked })}
      />
    </Stack>
  )
}

type Target = { path: 'url' | 'screen_name' | 'body'; label: string; hint: string; example: string }

const targets = (): Partial<Record<Kind, Target>> => ({
  Rss: {
    path: 'url',
    label: t.sources.url,
    hint: t.sources.urlHint,
    example: 'https://news.example.org/feed.xml',
  },
  Ftp: {
    path: 'url',
    label: t.sources.folder,
    hint: t.sources.folderHint,
    example: 'ftps://files.example.org/in',
  },
  MicroblogAccount: {
    path: 'screen_name',
    label: t.sources.account,
    hint: t.sources.accountHint,
    example: 'harbourfm',
  },
  MicroblogHashtag: {
    path: 'body',
    label: t.sources.hashtag,
    hint: t.sources.hashtagHint,
    example: 'harbour',
  },
})
