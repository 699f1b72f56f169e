import '@mantine/spotlight/styles.css'
import { Highlight, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { Spotlight, spotlight } from '@mantine/spotlight'
import { IconSearch } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import type { Marquee } from 'marquee-sdk'
import { useEffect, useState } from 'react'
import { useCan } from '../api/access.ts'
import { useRead } from '../api/queries.ts'
import { areas } from '../routes.tsx'
import { t } from '../texts/index.ts'
import { linkOf } from './links.ts'

/** ⌘K: every area, and what is found by name in the content, the media and the audience. */
const Palette = ({ opened }: { opened: number }) => {
  const can = useCan()
  const navigate = useNavigate()
  const [typed, setTyped] = useState('')
  const [words] = useDebouncedValue(typed.trim(), 120)
  const search = useRead('/search', { query: { q: words } }, { enabled: words.length > 1 })
  // Each time that it is asked for.
  useEffect(() => spotlight.open(), [opened])
  const places = areas.filter(({ name, needs }) => can(needs) && holds(t.areas[name], typed))
  const found = words.length > 1 ? foundIn(search.data) : []
  return (
    <Spotlight.Root
      query={typed}
      onQueryChange={setTyped}
      shortcut={null}
      scrollable
      maxHeight={420}
      overlayProps={{ blur: 0 }}
    >
      <Spotlight.Search
        placeholder={t.palette.placeholder}
        leftSection={<IconSearch size={16} aria-hidden />}
      />
      <Spotlight.ActionsList>
        {found.length > 0 && (
          <Spotlight.ActionsGroup label={t.palette.found}>
            {found.map(({ id, kind, title }) => (
              <Spotlight.Action key={id} onClick={() => navigate(linkOf(kind, id) as never)}>
                <Highlight highlight={words} size="md" className="ellipsis">
                  {title}
                </Highlight>
                <Text span size="xs" c="dimmed" ml="auto" pl="md">
                  {t.kinds[kind as 'tags']}
                </Text>
              </Spotlight.Action>
            ))}
          </Spotlight.ActionsGroup>
        )}
        {places.length > 0 && (
          <Spotlight.ActionsGroup label={t.palette.go}>
            {places.map(({ name, icon: Icon, pages }) => (
              <Spotlight.Action
                key={name}
                label={t.areas[name]}
                leftSection={<Icon size={16} aria-hidden />}
                onClick={() => navigate({ to: pages[0].path })}
              />
            ))}
          </Spotlight.ActionsGroup>
        )}
        {places.length === 0 && found.length === 0 && <Spotlight.Empty>{t.palette.nothing}</Spotlight.Empty>}
      </Spotlight.ActionsList>
    </Spotlight.Root>
  )
}

const holds = (text: string, typed: string): boolean =>
  text.toLowerCase().includes(typed.trim().toLowerCase())

type Found = { id: string; kind: string; title: string }

/** Publications have a title per locale, other records a name. */
const foundIn = (found: Marquee.Found | undefined): Found[] => [
  ...(found?.publications?.items ?? []).map(({ id, title }) =>
    named(id, 'publications', Object.values(title as Record<string, string | null>).find(Boolean)),
  ),
  ...(found?.assets?.items ?? []).map(({ id, name }) => named(id, 'assets', name)),
  ...(found?.persons?.items ?? []).map(({ id, first_name, last_name }) =>
    named(id, 'persons', [first_name, last_name].filter(Boolean).join(' ')),
  ),
  ...(found?.tags.items ?? []).map(({ id, body }) => named(id, 'tags', body)),
]

const named = (id: string, kind: string, title: string | null | undefined): Found => ({
  id,
  kind,
  title: title || t.common.unnamed,
})

export default Palette
