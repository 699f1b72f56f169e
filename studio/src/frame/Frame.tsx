import { Drawer } from '@mantine/core'
import { useDisclosure, useHotkeys } from '@mantine/hooks'
import { useRouterState } from '@tanstack/react-router'
import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react'
import { useIsSmall } from '../components/small.ts'
import { t } from '../texts/index.ts'
import classes from './Frame.module.css'
import { onPalette } from './palette-store.ts'
import { Rail } from './Rail.tsx'
import { TopBar } from './TopBar.tsx'

const Palette = lazy(() => import('./Palette.tsx'))
const Help = lazy(() => import('./Help.tsx'))

/** Rail, top bar and the page between them. */
export const Frame = ({ children }: { children: ReactNode }) => {
  const phone = useIsSmall('phone')
  const [menu, { open, close }] = useDisclosure()
  const [palette, setPalette] = useState(0)
  const [help, setHelp] = useState(false)
  const path = useRouterState({ select: (state) => state.location.pathname })
  useEffect(() => onPalette(() => setPalette((times) => times + 1)), [])
  useHotkeys([
    ['mod+K', () => setPalette((times) => times + 1)],
    ['shift+?', () => setHelp(true), { usePhysicalKeys: false }],
  ])
  // Whenever the page changes.
  useEffect(close, [path])
  return (
    <div className={classes.frame}>
      <a href="#main" className={classes.skip}>
        {t.frame.skip}
      </a>
      {phone ? (
        <Drawer
          opened={menu}
          onClose={close}
          size={260}
          title={t.frame.areas}
          closeButtonProps={{ 'aria-label': t.actions.close }}
        >
          <Rail />
        </Drawer>
      ) : (
        <div className={classes.rail}>
          <Rail />
        </div>
      )}
      <TopBar onMenu={phone ? open : undefined} onHelp={() => setHelp(true)} />
      <main id="main" className={classes.main} tabIndex={-1}>
        {children}
      </main>
      <Suspense>
        {palette > 0 && <Palette opened={palette} />}
        {help && <Help onClose={() => setHelp(false)} />}
      </Suspense>
    </div>
  )
}
