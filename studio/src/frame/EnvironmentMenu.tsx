import { Menu, UnstyledButton } from '@mantine/core'
import { IconCheck, IconSelector } from '@tabler/icons-react'
import { useEnvironment, useEnvironments } from '../api/access.ts'
import { basePath } from '../api/session.ts'
import { t } from '../texts/index.ts'
import classes from './Rail.module.css'

/** Another environment is another address, loaded anew: nothing of the one before stays in memory. */
export const EnvironmentMenu = () => {
  const environments = useEnvironments()
  const current = useEnvironment()
  const name = current?.name ?? ''
  return (
    <Menu position="bottom-start" width={240}>
      <Menu.Target>
        <UnstyledButton className={classes.environment} aria-label={`${t.frame.environment}: ${name}`}>
          <span className={classes.letter} data-letter={[...name][0]?.toUpperCase()} />
          <span className="ellipsis">{name}</span>
          <IconSelector size={14} className={classes.chevron} aria-hidden />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{t.frame.switchEnvironment}</Menu.Label>
        {environments.map(({ id, name: other }) => (
          <Menu.Item
            key={id}
            component="a"
            href={`${basePath(id)}/content`}
            rightSection={id === current?.id ? <IconCheck size={14} aria-hidden /> : undefined}
            aria-current={id === current?.id}
          >
            {other}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
