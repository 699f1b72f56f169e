import { Group, NativeSelect, Text } from '@mantine/core'
import { useCan, useMe } from '../../../api/access.ts'
import { useRead } from '../../../api/queries.ts'
import { t } from '../../../texts/index.ts'
import { localeKey } from '../saving/keys.ts'
import { useStore, useValue } from '../saving/store.ts'

type User = { id: string; name?: string }

/** Who looks after this language. Who may not read the users can take it on. */
export const Assigned = ({
  locale,
  language,
  disabled,
}: {
  locale: string
  language: string
  disabled: boolean
}) => {
  const store = useStore()
  const can = useCan()
  const me = useMe()
  const key = localeKey('assigned_to', locale)
  const user = useValue<User | null>(key) ?? null
  const all = useRead('/users', { query: { limit: 200, total: false } }, { enabled: can('users') }).data
    ?.items
  const known: User[] = [...(user ? [user] : []), ...(all ?? (me ? [me] : []))]
  const users = [...new Map(known.map((one) => [one.id, one])).values()]
  return (
    <Group gap="sm">
      <NativeSelect
        size="xs"
        flex={1}
        aria-label={`${t.content.assignedTo} (${language})`}
        disabled={disabled}
        value={user?.id ?? ''}
        data={[
          { value: '', label: t.editor.nobody },
          ...users.map(({ id, name }) => ({ value: id, label: name ?? id })),
        ]}
        onChange={({ currentTarget }) =>
          store.set(
            key,
            users.find(({ id }) => id === currentTarget.value) ? pick(users, currentTarget.value) : null,
          )
        }
      />
      <Text size="xs" c="dimmed">
        {language}
      </Text>
    </Group>
  )
}

const pick = (users: User[], id: string): User => {
  const { name } = users.find((one) => one.id === id)!
  return { id, ...(name && { name }) }
}
