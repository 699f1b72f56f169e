import { ActionIcon, Button, Menu } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { t } from '../../../texts/index.ts'

/** What can stand in a box, the usual first. */
const offered = [
  ['Text', 'Text:H2', 'Text:H3', 'Quote', 'Asset', 'Publication', 'CardItem', 'Number'],
  ['Resource', 'VideoSitePost', 'VideoHostPost', 'AudioHostPost', 'MicroblogPost', 'PhotoSocialPost'],
  ['SocialNetworkPost', 'MusicPlaylist', 'QuizPost', 'BroadcasterPost'],
  ['Person', 'TagBox', 'Coordinates', 'DateTime', 'DateTimeRange', 'BusinessHours', 'Boolean', 'Integer'],
  ['Float', 'Color', 'Text:CODE', 'ElementBox'],
]

export const labelName = (label: string): string =>
  (t.editor.labels as Record<string, string>)[label] ?? label

type Props = { label: string; onPick: (label: string) => void; compact?: boolean }

/** `/` on the button opens it as well; typing a letter goes to what begins with it. */
export const InsertMenu = ({ label, onPick, compact = false }: Props) => {
  const [opened, setOpened] = useState(false)
  const slash = (event: React.KeyboardEvent) => {
    if (event.key !== '/') return
    event.preventDefault()
    event.stopPropagation()
    setOpened(true)
  }
  return (
    <Menu opened={opened} onChange={setOpened} position="bottom-start">
      <Menu.Target>
        {compact ? (
          <ActionIcon
            variant="subtle"
            color="gray"
            size="sm"
            aria-label={label}
            title={label}
            onKeyDown={slash}
          >
            <IconPlus size={14} aria-hidden />
          </ActionIcon>
        ) : (
          <Button
            size="compact-sm"
            variant="default"
            leftSection={<IconPlus size={14} aria-hidden />}
            onKeyDown={slash}
          >
            {label}
          </Button>
        )}
      </Menu.Target>
      <Menu.Dropdown mah={340} style={{ overflowY: 'auto' }}>
        {offered.map((group, index) => [
          index > 0 && <Menu.Divider key={group[0]} />,
          ...group.map((one) => (
            <Menu.Item key={one} onClick={() => onPick(one)}>
              {labelName(one)}
            </Menu.Item>
          )),
        ])}
      </Menu.Dropdown>
    </Menu>
  )
}
