import { Group, Kbd, Modal, Stack, Text, Title } from '@mantine/core'
import { t } from '../texts/index.ts'

const mod = /Mac|iP(hone|ad)/.test(navigator.userAgent) ? '⌘' : 'Ctrl'

const parts = (): [string, [string[], string][]][] => [
  [
    t.help.everywhere,
    [
      [[mod, 'K'], t.help.palette],
      [['?'], t.help.help],
      [['Esc'], t.help.back],
    ],
  ],
  [
    t.help.lists,
    [
      [['J'], t.help.nextRow],
      [['K'], t.help.previousRow],
      [['X'], t.help.chooseRow],
      [['Shift', 'X'], t.help.chooseRange],
      [['Enter'], t.help.peekRow],
      [['E'], t.help.editRow],
    ],
  ],
  [
    t.help.editor,
    [
      [[mod, 'S'], t.help.saveDraft],
      [[mod, 'Shift', 'P'], t.help.publish],
    ],
  ],
]

const Help = ({ onClose }: { onClose: () => void }) => (
  <Modal opened onClose={onClose} title={t.help.title} closeButtonProps={{ 'aria-label': t.actions.close }}>
    <Stack gap="lg">
      {parts().map(([title, lines]) => (
        <section key={title}>
          <Title order={3} size="sm" mb="xs">
            {title}
          </Title>
          {lines.map(([keys, what]) => (
            <Group key={what} justify="space-between" py={3}>
              <Text size="sm">{what}</Text>
              <Group gap={4}>
                {keys.map((key) => (
                  <Kbd key={key}>{key}</Kbd>
                ))}
              </Group>
            </Group>
          ))}
        </section>
      ))}
    </Stack>
  </Modal>
)

export default Help
