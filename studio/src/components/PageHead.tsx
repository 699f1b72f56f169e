import { Group, Text, Title } from '@mantine/core'
import { type ReactNode, useEffect } from 'react'
import { t } from '../texts/index.ts'
import classes from './PageHead.module.css'

type Props = { title: string; hint?: ReactNode; children?: ReactNode; below?: ReactNode }

/** The title of a page, its actions at the right, and what stands below such as tabs. Also names the window. */
export const PageHead = ({ title, hint, children, below }: Props) => {
  useEffect(() => {
    document.title = t.frame.page(title)
  }, [title])
  return (
    <header className={classes.head}>
      <Group justify="space-between" wrap="nowrap" gap="md" mih={36}>
        <Group gap="sm" wrap="nowrap" align="baseline" className={classes.names}>
          <Title order={1} size="h2" className="ellipsis">
            {title}
          </Title>
          {hint && (
            <Text size="sm" c="dimmed" className="ellipsis figures">
              {hint}
            </Text>
          )}
        </Group>
        <Group gap="sm" wrap="nowrap">
          {children}
        </Group>
      </Group>
      {below}
    </header>
  )
}
