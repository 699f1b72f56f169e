import { ActionIcon, Button, Group, Input, Stack, TextInput } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { t } from '../../../texts/index.ts'

export type Pair = [name: string, value: string]

type Props = {
  label: string
  description?: string
  value: Pair[]
  error?: string | undefined
  onChange: (pairs: Pair[]) => void
}

/** Names with values, in rows. */
export const Pairs = ({ label, description, value, error, onChange }: Props) => {
  const texts = t.settings.pairs
  const put = (index: number, pair: Pair) => onChange(value.with(index, pair))
  return (
    <Input.Wrapper label={label} description={description} error={error} labelElement="div">
      <Stack gap={6} mt={6} role="group" aria-label={label}>
        {value.map(([name, text], index) => (
          <Group key={index} gap={6} wrap="nowrap">
            <TextInput
              size="xs"
              flex={1}
              aria-label={texts.nameOf(index + 1)}
              placeholder={texts.name}
              value={name}
              onChange={(event) => put(index, [event.currentTarget.value, text])}
            />
            <TextInput
              size="xs"
              flex={1}
              aria-label={texts.valueOf(index + 1)}
              placeholder={texts.value}
              value={text}
              onChange={(event) => put(index, [name, event.currentTarget.value])}
            />
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={texts.remove(name)}
              onClick={() => onChange(value.toSpliced(index, 1))}
            >
              <IconX size={14} aria-hidden />
            </ActionIcon>
          </Group>
        ))}
        <Group>
          <Button size="compact-sm" variant="default" onClick={() => onChange([...value, ['', '']])}>
            {texts.add}
          </Button>
        </Group>
      </Stack>
    </Input.Wrapper>
  )
}

/** What is sent: every name that is filled, and null for those that are gone. */
export const sentPairs = (
  pairs: Pair[],
  before: Record<string, unknown> = {},
): Record<string, string | null> =>
  Object.fromEntries([
    ...Object.keys(before).map((name) => [name, null]),
    ...pairs.filter(([name]) => name !== ''),
  ])
