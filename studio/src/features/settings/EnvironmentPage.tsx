import {
  Autocomplete,
  Button,
  Checkbox,
  Fieldset,
  Modal,
  NativeSelect,
  NumberInput,
  Skeleton,
  Stack,
  TagsInput,
  Text,
  TextInput,
  Title,
} from '@mantine/core'
import type { Marquee } from 'marquee-sdk'
import { useState } from 'react'
import { useCan, useEnvironment } from '../../api/access.ts'
import { api } from '../../api/client.ts'
import { refresh } from '../../api/queries.ts'
import { localeName } from '../../components/format.ts'
import { toast } from '../../components/toast.tsx'
import { t } from '../../texts/index.ts'
import { FormEnd } from './parts/FormEnd.tsx'
import { saveRecord } from './parts/records.ts'
import { Section } from './parts/Section.tsx'
import { useForm } from './parts/use-form.ts'
import classes from './Settings.module.css'

type Environment = Marquee.Environment
type Settings = NonNullable<Marquee.UpdateEnvironmentBody['settings']>

const valuesOf = ({ name, locales, default_locale, time_zone, settings }: Environment) => {
  const held = settings as Settings
  return {
    name,
    locales,
    default_locale,
    time_zone,
    image_widths: (held.image_widths ?? []).map(String),
    redirect_urls: held.redirect_urls ?? [],
    control_share: held.control_share === undefined ? '' : held.control_share! * 100,
    comment_approval: held.comment_approval ?? false,
    recordings_kept: held.recordings_kept ?? '',
    versions_kept: held.versions_kept ?? '',
  } as {
    name: string
    locales: string[]
    default_locale: string
    time_zone: string
    image_widths: string[]
    redirect_urls: string[]
    control_share: number | string
    comment_approval: boolean
    recordings_kept: number | string
    versions_kept: number | string
  }
}

/** Null takes a setting away, so that what holds without it holds again. */
const sentOf = (values: ReturnType<typeof valuesOf>) => {
  const { name, locales, default_locale, time_zone, image_widths, redirect_urls, comment_approval } = values
  const number = (value: number | string) => (value === '' ? null : Number(value))
  const share = number(values.control_share)
  return {
    name,
    locales,
    default_locale,
    time_zone,
    settings: {
      image_widths: image_widths.length > 0 ? image_widths.map(Number) : null,
      redirect_urls: redirect_urls.length > 0 ? redirect_urls : null,
      control_share: share === null ? null : Math.round(share * 100) / 10_000,
      comment_approval: comment_approval || null,
      recordings_kept: number(values.recordings_kept),
      versions_kept: number(values.versions_kept),
    },
  }
}

const EnvironmentPage = () => {
  const can = useCan()
  const environment = useEnvironment()
  const [isMaking, setMaking] = useState(false)
  const texts = t.settings.environment
  return (
    <Section
      name="environment"
      actions={
        can('tokens') && (
          <Button variant="default" onClick={() => setMaking(true)}>
            {texts.new}
          </Button>
        )
      }
    >
      <div className={classes.scroll}>
        <div className={classes.column}>
          {environment ? (
            <EnvironmentForm key={environment.id} environment={environment} editable={can('tokens')} />
          ) : (
            <Skeleton height={300} />
          )}
        </div>
      </div>
      {isMaking && <NewEnvironment onClose={() => setMaking(false)} />}
    </Section>
  )
}

const EnvironmentForm = ({ environment, editable }: { environment: Environment; editable: boolean }) => {
  const texts = t.settings.environment
  const form = useForm(valuesOf(environment), (values) =>
    saveRecord('/environments', environment, values.name, sentOf(values), sentOf(valuesOf(environment))),
  )
  const { values, set } = form
  const number = (name: 'control_share' | 'recordings_kept' | 'versions_kept') => ({
    hideControls: true,
    min: 0,
    value: values[name],
    error: form.faultOf(`settings.${name}`),
    onChange: (value: number | string) => set({ [name]: value }),
  })
  return (
    <form onSubmit={form.submit}>
      <Fieldset variant="unstyled" disabled={!editable}>
        <Stack gap="md">
          <TextInput label={texts.name} required withAsterisk={false} {...form.text('name')} />
          <Title order={2} size="h3" mt="md">
            {texts.languages}
          </Title>
          <TagsInput
            label={texts.locales}
            description={texts.localesHint}
            value={values.locales}
            error={form.faultOf('locales')}
            onChange={(locales) => set({ locales })}
          />
          <NativeSelect
            label={texts.default_locale}
            {...form.text('default_locale')}
            data={[...new Set([...values.locales, values.default_locale])].map((value) => ({
              value,
              label: /^[a-z]{2}-[A-Z]{2}$/.test(value) ? `${localeName(value)} (${value})` : value,
            }))}
          />
          <Autocomplete
            label={texts.time_zone}
            limit={20}
            data={Intl.supportedValuesOf('timeZone')}
            value={values.time_zone}
            error={form.faultOf('time_zone')}
            onChange={(time_zone) => set({ time_zone })}
          />
          <Title order={2} size="h3" mt="md">
            {texts.media}
          </Title>
          <TagsInput
            label={texts.image_widths}
            description={texts.image_widthsHint}
            value={values.image_widths}
            error={form.faultOf('settings.image_widths')}
            onChange={(image_widths) => set({ image_widths })}
          />
          <NumberInput
            label={texts.versions_kept}
            description={texts.versions_keptHint}
            {...number('versions_kept')}
          />
          <NumberInput
            label={texts.recordings_kept}
            description={texts.recordings_keptHint}
            {...number('recordings_kept')}
          />
          <Title order={2} size="h3" mt="md">
            {texts.audience}
          </Title>
          <NumberInput
            label={texts.control_share}
            description={texts.control_shareHint}
            suffix=" %"
            max={100}
            {...number('control_share')}
          />
          <Checkbox label={texts.comment_approval} {...form.check('comment_approval')} />
          <TagsInput
            label={texts.redirect_urls}
            description={texts.redirect_urlsHint}
            value={values.redirect_urls}
            error={form.faultOf('settings.redirect_urls')}
            onChange={(redirect_urls) => set({ redirect_urls })}
          />
          {editable && <FormEnd save={texts.save} busy={form.busy} />}
        </Stack>
      </Fieldset>
    </form>
  )
}

const NewEnvironment = ({ onClose }: { onClose: () => void }) => {
  const texts = t.settings.environment
  const form = useForm({ name: '' }, async ({ name }) => {
    await api.post('/environments', { body: { name } })
    refresh('environments')
    toast(texts.made(name))
    onClose()
  })
  return (
    <Modal opened onClose={onClose} title={texts.new} closeButtonProps={{ 'aria-label': t.actions.close }}>
      <form onSubmit={form.submit}>
        <Text size="sm" c="dimmed" mb="md">
          {texts.newHint}
        </Text>
        <TextInput label={texts.name} required withAsterisk={false} data-autofocus {...form.text('name')} />
        <FormEnd save={texts.make} busy={form.busy} />
      </form>
    </Modal>
  )
}

export default EnvironmentPage
