import { Alert, Button, Group, Textarea } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { explain } from '../../../components/explain.ts'
import { t } from '../../../texts/index.ts'
import classes from '../Inbox.module.css'

type Props = {
  label: string
  begin: string
  submit: string
  onSubmit: (text: string) => Promise<void>
  onCancel: () => void
}

/** What was written stays where it is until the service has it. */
export const WordsForm = ({ label, begin, submit, onSubmit, onCancel }: Props) => {
  const [text, setText] = useState(begin)
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<unknown>()
  const send = async (event: FormEvent) => {
    event.preventDefault()
    setBusy(true)
    setFailure(undefined)
    await onSubmit(text.trim()).catch(setFailure)
    setBusy(false)
  }
  return (
    <form onSubmit={send} className={classes.form} style={{ marginBlock: 8 }}>
      <Textarea
        label={label}
        autosize
        minRows={2}
        maxRows={12}
        autoFocus
        dir="auto"
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={(event) => event.key === 'Escape' && onCancel()}
      />
      {failure !== undefined && (
        <Alert color="red" variant="light" role="alert">
          {explain(failure)}
        </Alert>
      )}
      <Group gap="sm">
        <Button
          type="submit"
          size="compact-sm"
          loading={busy}
          disabled={text.trim() === '' || text.trim() === begin}
        >
          {submit}
        </Button>
        <Button size="compact-sm" variant="subtle" color="gray" onClick={onCancel}>
          {t.actions.cancel}
        </Button>
      </Group>
    </form>
  )
}
