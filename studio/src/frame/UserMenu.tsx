import { Menu, SegmentedControl, Text, UnstyledButton, useMantineColorScheme } from '@mantine/core'
import { IconBook, IconChevronDown, IconLogout } from '@tabler/icons-react'
import { useMe } from '../api/access.ts'
import { signOut } from '../api/session.ts'
import { useIsSmall } from '../components/small.ts'
import { chooseLanguage, type Language, language, t } from '../texts/index.ts'
import classes from './UserMenu.module.css'

export const UserMenu = () => {
  const me = useMe()
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const phone = useIsSmall('phone')
  const schemes = [
    { value: 'light', label: t.frame.light },
    { value: 'dark', label: t.frame.dark },
    { value: 'auto', label: t.frame.system },
  ] as const
  return (
    <Menu position="bottom-end" width={290}>
      <Menu.Target>
        <UnstyledButton className={classes.user} aria-label={`${t.frame.account}: ${me?.name ?? ''}`}>
          <span className={classes.letter} data-letter={[...(me?.name ?? ' ')][0]?.toUpperCase()} />
          {!phone && <span className="ellipsis">{me?.name}</span>}
          <IconChevronDown size={14} aria-hidden />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <div className={classes.part}>
          <Text size="sm" fw={600} className="ellipsis">
            {me?.name}
          </Text>
          <Text size="xs" c="dimmed" className="ellipsis">
            {me?.email}
          </Text>
        </div>
        <Menu.Divider />
        <div className={classes.part}>
          <Text size="xs" c="dimmed" mb={4}>
            {t.frame.theme}
          </Text>
          <SegmentedControl
            fullWidth
            size="xs"
            aria-label={t.frame.theme}
            value={colorScheme}
            onChange={(value) => setColorScheme(value as typeof colorScheme)}
            data={[...schemes]}
          />
          <Text size="xs" c="dimmed" mt="sm" mb={4}>
            {t.frame.language}
          </Text>
          <SegmentedControl
            fullWidth
            size="xs"
            aria-label={t.frame.language}
            value={language}
            onChange={(value) => chooseLanguage(value as Language)}
            data={[
              { value: 'en', label: 'English' },
              { value: 'nl', label: 'Nederlands' },
            ]}
          />
        </div>
        <Menu.Divider />
        <Menu.Item
          component="a"
          href="/docs"
          target="_blank"
          leftSection={<IconBook size={16} aria-hidden />}
        >
          {t.frame.docs}
        </Menu.Item>
        <Menu.Item leftSection={<IconLogout size={16} aria-hidden />} onClick={() => signOut()}>
          {t.frame.signOut}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
