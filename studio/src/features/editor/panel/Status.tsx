import { NativeSelect, Stack, Text, TextInput } from '@mantine/core'
import { useRead } from '../../../api/queries.ts'
import { MomentInput } from '../../../components/MomentInput.tsx'
import { t } from '../../../texts/index.ts'
import { shortName } from '../names.ts'
import { localeKey } from '../saving/keys.ts'
import { useFacts } from '../saving/state.ts'
import { useFault, useStore, useValue } from '../saving/store.ts'

type Props = { locale: string; locales: string[]; disabled: boolean }

/** Status and schedule of the language that is open, and the status of the others. */
export const Status = ({ locale, locales, disabled }: Props) => {
  const { locales: linked } = useFacts()
  const others = locales.filter((one) => one !== locale && linked.includes(one))
  return (
    <Stack gap="sm">
      <StatusOf locale={locale} language={shortName(locale, locales)} disabled={disabled} />
      <Moment name="publish_on" title={t.content.publishOn} locale={locale} disabled={disabled} />
      <Moment name="expire_on" title={t.content.expireOn} locale={locale} disabled={disabled} />
      <Slug locale={locale} disabled={disabled} />
      {others.map((one) => (
        <StatusOf key={one} locale={one} language={shortName(one, locales)} disabled={disabled} />
      ))}
    </Stack>
  )
}

const StatusOf = ({
  locale,
  language,
  disabled,
}: {
  locale: string
  language: string
  disabled: boolean
}) => {
  const store = useStore()
  const key = localeKey('status', locale)
  const status = useValue<{ body: string } | null>(key)
  const known = useRead('/statuses', { query: { limit: 100, total: false } }).data?.items ?? []
  const bodies = [...new Set([status?.body ?? 'To do', ...known.map(({ body }) => body)])]
  return (
    <NativeSelect
      size="xs"
      label={`${t.content.status}: ${language}`}
      disabled={disabled}
      value={status?.body ?? 'To do'}
      data={bodies}
      onChange={(event) => store.set(key, { body: event.currentTarget.value })}
    />
  )
}

type MomentProps = { name: 'publish_on' | 'expire_on'; title: string; locale: string; disabled: boolean }

const Moment = ({ name, title, locale, disabled }: MomentProps) => {
  const store = useStore()
  const key = localeKey(name, locale)
  const moment = useValue<string | null>(key) ?? null
  const fault = useFault(key)
  return (
    <MomentInput
      size="xs"
      label={title}
      disabled={disabled}
      error={fault && t.editor.notTaken(fault)}
      value={moment}
      onChange={(next) => store.set(key, next)}
    />
  )
}

const Slug = ({ locale, disabled }: { locale: string; disabled: boolean }) => {
  const store = useStore()
  const key = localeKey('slug', locale)
  const slug = useValue<string | null>(key) ?? ''
  const fault = useFault(key)
  return (
    <div>
      <TextInput
        size="xs"
        label={t.content.slug}
        disabled={disabled}
        error={fault && t.editor.notTaken(fault)}
        value={slug}
        placeholder={t.editor.slugHint}
        onChange={(event) => store.set(key, event.currentTarget.value || null)}
      />
      {!fault && (
        <Text size="xs" c="dimmed" mt={2}>
          {t.editor.slugHint}
        </Text>
      )}
    </div>
  )
}
