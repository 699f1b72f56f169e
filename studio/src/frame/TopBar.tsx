import { ActionIcon, Kbd, Tooltip, UnstyledButton } from '@mantine/core'
import { IconHelp, IconMenu2, IconSearch } from '@tabler/icons-react'
import { t } from '../texts/index.ts'
import { LiveIndicator } from './LiveIndicator.tsx'
import { openPalette } from './palette-store.ts'
import classes from './TopBar.module.css'
import { UserMenu } from './UserMenu.tsx'

const apple = /Mac|iP(hone|ad)/.test(navigator.userAgent)

export const TopBar = ({ onMenu, onHelp }: { onMenu: (() => void) | undefined; onHelp: () => void }) => (
  <header className={classes.bar}>
    {onMenu && (
      <ActionIcon variant="subtle" color="gray" onClick={onMenu} aria-label={t.frame.menu}>
        <IconMenu2 size={18} aria-hidden />
      </ActionIcon>
    )}
    <UnstyledButton className={classes.jump} onClick={openPalette}>
      <IconSearch size={14} aria-hidden />
      <span className="ellipsis">{t.frame.jump}</span>
      <Kbd size="xs" className={classes.keys}>
        {apple ? '⌘' : 'Ctrl'} K
      </Kbd>
    </UnstyledButton>
    <div className={classes.right}>
      <LiveIndicator />
      <Tooltip label={t.frame.help}>
        <ActionIcon variant="subtle" color="gray" onClick={onHelp} aria-label={t.frame.help}>
          <IconHelp size={18} stroke={1.6} aria-hidden />
        </ActionIcon>
      </Tooltip>
      <UserMenu />
    </div>
  </header>
)
