import { Alert, Anchor, Button, PasswordInput, Text, TextInput } from '@mantine/core'
import { ApiError, createClient } from 'marquee-sdk'
import { type FormEvent, useState } from 'react'
import { explain, faultsOf } from '../../components/explain.ts'
import { t } from '../../texts/index.ts'
import { Doorway } from './Doorway.tsx'

/** Nobody is signed in here yet. */
const client = createClient()

const reason = (error: unknown): string | undefined => {
  if (!(error instanceof ApiError)) return explain(error)
  if (error.type === 'InvitationAccepted') return t.invitation.used
  if (error.type === 'InvitationExpired') return t.invitation.expired
  if (error.status === 404) return t.invitation.unknown
  if (error.status === 401) return t.invitation.wrong
  return error.status === 400 ? undefined : explain(error)
}

const Invitation = ({ id }: { id: string }) => {
  const [name, setName] = useState('')
  const [password, setPassword] = useState('')
  const [error, setError] = useState<unknown>()
  const [busy, setBusy] = useState(false)
  const [welcome, setWelcome] = useState(false)
  const token = new URLSearchParams(location.search).get('token') ?? ''

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setBusy(true)
    try {
      await client.post('/invitations/{id}/accept', { path: { id }, body: { token, name, password } })
      setWelcome(true)
    } catch (caught) {
      setError(caught)
    }
    setBusy(false)
  }
  const wrong = error ? reason(error) : undefined
  const faults = faultsOf(error)
  if (welcome)
    return (
      <Doorway title={t.invitation.title}>
        <Text>{t.invitation.welcome}</Text>
        <Button component="a" href="/studio/sign-in">
          {t.invitation.signIn}
        </Button>
      </Doorway>
    )
  return (
    <Doorway title={t.invitation.title} onSubmit={submit}>
      <Text c="dimmed">{t.invitation.hint}</Text>
      {wrong && (
        <Alert role="alert" color="red" variant="outline">
          {wrong}
        </Alert>
      )}
      <TextInput
        label={t.invitation.name}
        autoComplete="name"
        required
        autoFocus
        withAsterisk={false}
        value={name}
        error={faults.name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <PasswordInput
        label={t.invitation.password}
        autoComplete="new-password"
        required
        withAsterisk={false}
        visibilityToggleButtonProps={{ 'aria-label': t.signIn.show }}
        value={password}
        error={faults.password}
        onChange={(event) => setPassword(event.currentTarget.value)}
      />
      <Button type="submit" loading={busy} fullWidth>
        {t.invitation.submit}
      </Button>
      <Anchor href="/studio/sign-in" size="sm" ta="center">
        {t.invitation.signIn}
      </Anchor>
    </Doorway>
  )
}

export default Invitation
