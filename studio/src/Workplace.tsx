import { Anchor } from '@mantine/core'
import { RouterProvider } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import {
  basePath,
  environmentInAddress,
  goToSignIn,
  NoSuchEnvironment,
  openAccess,
  SignedOut,
} from './api/session.ts'
import { EmptyState } from './components/EmptyState.tsx'
import { ErrorState } from './components/ErrorState.tsx'
import { startLive } from './live/live.ts'
import { makeRouter } from './router.tsx'
import { t } from './texts/index.ts'

/** An address without an environment gets that of the user. */
const enter = async (): Promise<void> => {
  const { environmentId } = await openAccess()
  if (environmentInAddress()) return
  const rest = location.pathname.replace(/^\/studio\/?/, '/')
  history.replaceState(null, '', basePath(environmentId) + rest + location.search + location.hash)
}

/** The frame is painted at once where the address names the environment; who is signed in turns out meanwhile. */
export const Workplace = () => {
  const [ready, setReady] = useState(() => environmentInAddress() !== undefined)
  const [failure, setFailure] = useState<unknown>()
  useEffect(() => {
    enter().then(
      () => setReady(true),
      (error) => (error instanceof SignedOut ? goToSignIn() : setFailure(error)),
    )
  }, [])
  if (failure instanceof NoSuchEnvironment)
    return (
      <EmptyState title={t.frame.noEnvironment} hint={t.frame.noEnvironmentHint}>
        <Anchor href="/studio">{t.frame.firstEnvironment}</Anchor>
      </EmptyState>
    )
  if (failure)
    return (
      <ErrorState title={t.errors.failed(t.actions.open)} error={failure} retry={() => location.reload()} />
    )
  return ready ? <Entered /> : null
}

const Entered = () => {
  const [router] = useState(() => makeRouter(basePath(environmentInAddress()!)))
  useEffect(startLive, [])
  return <RouterProvider router={router} />
}
