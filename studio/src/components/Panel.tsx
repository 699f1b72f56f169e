import { CloseButton, Drawer, Group, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { t } from '../texts/index.ts'
import classes from './Panel.module.css'
import { useIsSmall } from './small.ts'

type Props = { title: string; opened: boolean; onClose: () => void; children: ReactNode; width?: number }

/** Beside the content where there is room, over it as a sheet where there is not. */
export const Panel = ({ title, opened, onClose, children, width = 380 }: Props) => {
  const small = useIsSmall('wide')
  if (small)
    return (
      <Drawer
        opened={opened}
        onClose={onClose}
        title={title}
        position="right"
        size={width + 40}
        closeButtonProps={{ 'aria-label': t.actions.close }}
      >
        {children}
      </Drawer>
    )
  if (!opened) return null
  return (
    <aside className={classes.panel} aria-label={title} style={{ width }}>
      <Group justify="space-between" wrap="nowrap" className={classes.head}>
        <Title order={2} size="h3" className="ellipsis">
          {title}
        </Title>
        <CloseButton aria-label={t.actions.close} onClick={onClose} />
      </Group>
      <div className={classes.body}>{children}</div>
    </aside>
  )
}
