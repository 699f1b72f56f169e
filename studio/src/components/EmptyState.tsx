import { Group, Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'

/** Says what belongs here and gives the first step. */
export const EmptyState = ({
  title,
  hint,
  children,
}: {
  title: string
  hint?: ReactNode
  children?: ReactNode
}) => (
  <Stack align="center" gap="sm" px="lg" py={64} ta="center" maw={560} mx="auto">
    <Title order={2}>{title}</Title>
    {hint && <Text c="dimmed">{hint}</Text>}
    {children && (
      <Group justify="center" mt="sm" gap="sm">
        {children}
      </Group>
    )}
  </Stack>
)
