import { MantineProvider } from '@mantine/core'
import { Notifications } from '@mantine/notifications'
import { QueryClientProvider } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { queryClient } from './api/queries.ts'
import { schemeManager, theme, variables } from './theme.ts'
import { Workplace } from './Workplace.tsx'

const SignIn = lazy(() => import('./features/sign-in/SignIn.tsx'))
const Invitation = lazy(() => import('./features/sign-in/Invitation.tsx'))

/** Three doors: signing in, an invitation, and the workplace behind both. */
const Door = () => {
  const path = location.pathname
  const invitation = /^\/studio\/invitations\/([^/]+)/.exec(path)?.[1]
  if (invitation) return <Invitation id={decodeURIComponent(invitation)} />
  return path === '/studio/sign-in' ? <SignIn /> : <Workplace />
}

export const App = ({ nonce }: { nonce: string }) => (
  <MantineProvider
    theme={theme}
    cssVariablesResolver={variables}
    colorSchemeManager={schemeManager}
    defaultColorScheme="auto"
    getStyleNonce={() => nonce}
  >
    <QueryClientProvider client={queryClient}>
      <Notifications position="bottom-left" transitionDuration={100} />
      <Suspense>
        <Door />
      </Suspense>
    </QueryClientProvider>
  </MantineProvider>
)
