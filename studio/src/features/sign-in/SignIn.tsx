import { Alert, Anchor, Button, PasswordInput, TextInput } from '@mantine/core'
import { ApiError } from 'marquee-sdk'
import { type FormEvent, useState } from 'react'
import { signIn } from '../../api/session.ts'
import { explain } from '../../components/explain.ts'
import { t } from '../../texts/index.ts'
import { Doorway } from './Doorway.tsx'

const reason = (error: unknown, withCode: boolean): string => {
  if (!(error instanceof ApiError)) return explain(error)
  if (error.status === 401) return withCode ? t.signIn.wrongCode : t.signIn.wrong
  if (error.status === 429) return t.signIn.limited(Math.ceil((error.retryAfter ?? 60) / 60))
  return explain(error)
}

/** Only an address of the Studio itself is gone back to. */
const target = (): string => {
  const to = new URLSearchParams(location.search).get('to') ?? ''
  return /^\/studio(\/|$)/.test(to) ? to : '/studio'
}

const SignIn = () => {
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const [code, setCode] = useState<string>()
  const [wrong, setWrong] = useState<string>()
  const [busy, setBusy] = useState(false)

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setBusy(true)
    setWrong(undefined)
    try {
      await signIn(email, password, code?.replaceAll(/\s/g, ''))
      location.assign(target())
    } catch (error) {
      setBusy(false)
      if (error instanceof ApiError && error.type === 'TwoFactorRequired') setCode('')
      else setWrong(reason(error, code !== undefined))
    }
  }
  const restart = () => {
    setCode(undefined)
    setPassword('')
    setWrong(undefined)
  }
  return (
    <Doorway title={t.signIn.title} onSubmit={submit}>
      {wrong && (
        <Alert role="alert" color="red" variant="outline">
          {wrong}
        </Alert>
      )}
      {code === undefined ? (
        <>
          <TextInput
            label={t.signIn.email}
            type="email"
            autoComplete="username"
            required
            autoFocus
            withAsterisk={false}
            value={email}
            onChange={(event) => setEmail(event.currentTarget.value)}
          />
          <PasswordInput
            label={t.signIn.password}
            autoComplete="current-password"
            required
            withAsterisk={false}
            visibilityToggleButtonProps={{ 'aria-label': t.signIn.show }}
            value={password}
            onChange={(event) => setPassword(event.currentTarget.value)}
          />
        </>
      ) : (
        <TextInput
          label={t.signIn.code}
          description={t.signIn.codeHint}
          inputMode="numeric"
          autoComplete="one-time-code"
          required
          autoFocus
          withAsterisk={false}
          value={code}
          onChange={(event) => setCode(event.currentTarget.value)}
        />
      )}
      <Button type="submit" loading={busy} fullWidth>
        {code === undefined ? t.signIn.submit : t.signIn.verify}
      </Button>
      {code !== undefined && (
        <Anchor component="button" type="button" size="sm" onClick={restart}>
          {t.signIn.other}
        </Anchor>
      )}
    </Doorway>
  )
}

export default SignIn
