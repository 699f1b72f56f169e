import { Group, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'

/** What is known of a record, in lines. */
export const Facts = ({ facts }: { facts: [string, ReactNode][] }) => (
  <Stack gap={6}>
    {facts.map(([name, value]) => (
      <Group key={name} gap="md" wrap="nowrap" align="flex-start">
        <Text size="xs" c="dimmed" w={110} style={{ flex: 'none' }}>
          {name}
        </Text>
        <Text size="sm" component="div" style={{ overflowWrap: 'anywhere' }}>
          {value}
        </Text>
      </Group>
    ))}
  </Stack>
)
