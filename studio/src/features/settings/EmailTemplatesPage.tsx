import { Stack, Text, Textarea, TextInput } from '@mantine/core'
import type { Marquee } from 'marquee-sdk'
import { useMemo } from 'react'
import { t } from '../../texts/index.ts'
import { FormEnd } from './parts/FormEnd.tsx'
import { LetterFrame } from './parts/LetterFrame.tsx'
import { RecordSection } from './parts/RecordSection.tsx'
import { removeRecord, saveRecord } from './parts/records.ts'
import { removeLater } from './parts/remove-later.tsx'
import { useForm } from './parts/use-form.ts'
import classes from './Settings.module.css'
import { changedColumn, nameColumn } from './small-columns.tsx'

type Template = Marquee.EmailTemplate

const EmailTemplatesPage = () => {
  const texts = t.settings.templates
  const columns = useMemo(
    () => [
      nameColumn<Template>('name'),
      {
        key: 'subject',
        title: texts.subject,
        width: 'minmax(140px, 3fr)',
        keep: 2,
        small: 'second' as const,
        render: ({ subject }: Template) => <span className="ellipsis">{subject}</span>,
      },
      changedColumn<Template>(),
    ],
    [texts],
  )
  return (
    <RecordSection<Template>
      name="email-templates"
      path="/email_templates"
      columns={columns}
      nameOf={({ name }) => name}
      empty={{ title: texts.first, hint: texts.firstHint }}
      add={texts.new}
      width={520}
    >
      {(row, close) => <TemplateForm row={row} close={close} />}
    </RecordSection>
  )
}

const beginning = '<p>{{first_name}},</p>\n<p><a href="{{link}}">{{environment}}</a></p>'

const TemplateForm = ({ row, close }: { row: Template | undefined; close: () => void }) => {
  const texts = t.settings.templates
  const before = {
    name: row?.name ?? '',
    subject: row?.subject ?? '',
    html: row?.html ?? beginning,
    text: row?.text ?? '',
  }
  const sent = ({ text, ...values }: typeof before) => ({ ...values, text: text.trim() || null })
  const form = useForm(before, async (values) => {
    await saveRecord('/email_templates', row, values.name, sent(values), sent(before))
    close()
  })
  const remove = () => {
    close()
    removeLater(row!.id, t.settings.goes(row!.name), 'email_templates', () =>
      removeRecord('/email_templates', row!.id),
    )
  }
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
        <TextInput label={texts.subject} required withAsterisk={false} {...form.text('subject')} />
        <Textarea
          label={texts.html}
          description={texts.htmlHint}
          className={classes.mono}
          autosize
          minRows={6}
          maxRows={20}
          spellCheck={false}
          {...form.text('html')}
        />
        <Textarea
          label={texts.text}
          description={texts.textHint}
          autosize
          minRows={2}
          maxRows={12}
          {...form.text('text')}
        />
        <Text size="sm" fw={500}>
          {texts.preview}
        </Text>
        <LetterFrame html={form.values.html} />
        <FormEnd save={row ? t.actions.save : texts.create} busy={form.busy} onRemove={row && remove} />
      </Stack>
    </form>
  )
}

export default EmailTemplatesPage
