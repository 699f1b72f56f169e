import { Button, Group, Modal, Radio, Stack, Text } from '@mantine/core'
import { useEffect, useState } from 'react'
import { t } from '../../texts/index.ts'
import { Difference } from './Difference.tsx'
import classes from './Editor.module.css'
import { shortName } from './names.ts'
import { useSaveState } from './saving/state.ts'
import { nameOf } from './saving/values.ts'
import type { Opened } from './use-work.ts'

/** The same field was changed by somebody else: both are shown, and one is chosen. Nothing is lost until then. */
export const Conflict = ({ opened, locales }: { opened: Opened; locales: string[] }) => {
  const state = useSaveState()
  const [shown, setShown] = useState(true)
  const isConflict = state.kind === 'conflict'
  useEffect(() => setShown(isConflict), [isConflict])
  if (state.kind !== 'conflict') return null
  return (
    <div className={classes.banner} role="alert">
      <span>{t.editor.conflictHint}</span>
      <Button size="compact-sm" onClick={() => setShown(true)}>
        {t.editor.choose}
      </Button>
      <Modal
        opened={shown}
        onClose={() => setShown(false)}
        size="lg"
        title={t.editor.conflict}
        closeButtonProps={{ 'aria-label': t.actions.close }}
      >
        <Choices opened={opened} keys={state.keys} locales={locales} />
      </Modal>
    </div>
  )
}

const Choices = ({
  opened: { work, fields },
  keys,
  locales,
}: {
  opened: Opened
  keys: string[]
  locales: string[]
}) => {
  const [choices, setChoices] = useState<Record<string, 'mine' | 'theirs'>>({})
  const { store } = work
  const name = (key: string): string => {
    const [kind = '', locale = '', api_id] = key.split('|')
    const field = fields.find((one) => one.api_id === api_id)
    const what = field ? nameOf(field) : ((t.editor.facts as Record<string, string>)[kind] ?? kind)
    return locale ? `${what} (${shortName(locale, locales)})` : what
  }
  return (
    <Stack gap="lg">
      <Text size="sm">{t.editor.conflictLegend}</Text>
      {keys.map((key) => (
        <section key={key}>
          <Radio.Group
            label={name(key)}
            value={choices[key] ?? ''}
            onChange={(choice) => setChoices({ ...choices, [key]: choice as 'mine' })}
          >
            <Difference before={store.base.get(key)} after={store.values.get(key)} />
            <Group mt={6}>
              <Radio value="mine" label={t.editor.keepMine} />
              <Radio value="theirs" label={t.editor.takeTheirs} />
            </Group>
          </Radio.Group>
        </section>
      ))}
      <Group justify="flex-end">
        <Button disabled={keys.some((key) => !choices[key])} onClick={() => work.resolve(choices)}>
          {t.editor.goOn}
        </Button>
      </Group>
    </Stack>
  )
}
