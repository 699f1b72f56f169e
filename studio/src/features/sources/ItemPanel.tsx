import { ActionIcon, Anchor, Button, Group, Menu, Skeleton, Stack, Text } from '@mantine/core'
import { IconChevronDown } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useCan } from '../../api/access.ts'
import { useRead } from '../../api/queries.ts'
import { ErrorState } from '../../components/ErrorState.tsx'
import { Panel } from '../../components/Panel.tsx'
import { RelativeTime } from '../../components/RelativeTime.tsx'
import { linkOf } from '../../frame/links.ts'
import { t } from '../../texts/index.ts'
import { useDraft } from './draft.tsx'
import { RichText, webAddress } from './RichText.tsx'
import classes from './Sources.module.css'
import { nameOfItem, type SourceItem } from './source.ts'

type Props = { id: string | undefined; onClose: () => void }

/** Reads an item beside the list. */
export const ItemPanel = ({ id, onClose }: Props) => {
  const read = useRead('/v5/sources/items/{id}', { path: { id: id ?? '' } }, { enabled: id !== undefined })
  const item = read.data
  return (
    <Panel
      title={item ? nameOfItem(item) : t.common.loading}
      opened={id !== undefined}
      onClose={onClose}
      width={420}
    >
      {read.error && <ErrorState title={t.sources.loadFailed} error={read.error} retry={read.refetch} />}
      {!item && !read.error && <Skeleton height={160} />}
      {item && <Inside key={item.id} item={item} />}
    </Panel>
  )
}

const Inside = ({ item }: { item: SourceItem }) => {
  const there = webAddress(item.url)
  return (
    <Stack gap="md">
      <Group gap="sm">
        <DraftButton item={item} />
        {there && (
          <Button component="a" href={there} target="_blank" rel="noreferrer" size="xs" variant="default">
            {t.sources.readThere}
          </Button>
        )}
      </Group>
      <Text size="xs" c="dimmed" component="div">
        <Anchor
          component={Link}
          {...({ to: '/sources', search: { 'source_ids_or[in]': item.source.id } } as object)}
          size="xs"
        >
          {item.source.name}
        </Anchor>
        {item.author && item.author !== item.source.name && ` · ${item.author}`}
        {' · '}
        <RelativeTime at={item.published_on} />
      </Text>
      <Picture url={item.image_url} />
      {item.body ? <RichText html={item.body} /> : <Text c="dimmed">{t.sources.noBody}</Text>}
      <Text size="xs" c="dimmed">
        {t.sources.kept}
      </Text>
    </Stack>
  )
}

const Picture = ({ url }: { url: string | null }) => {
  const [isBroken, setBroken] = useState(false)
  if (!url?.startsWith('https://') || isBroken) return null
  return (
    <img
      src={url}
      alt=""
      className={classes.picture}
      loading="lazy"
      referrerPolicy="no-referrer"
      onError={() => setBroken(true)}
    />
  )
}

const DraftButton = ({ item }: { item: SourceItem }) => {
  const can = useCan()
  const { make, isMaking } = useDraft()
  const models = useRead('/publication_models', { query: { limit: 100, total: false } }).data?.items ?? []
  if (item.publication)
    return (
      <Button component={Link} {...(linkOf('publications', item.publication.id) as object)} size="xs">
        {t.sources.openDraft}
      </Button>
    )
  if (!can('publications_publish')) return null
  return (
    <Button.Group>
      <Button size="xs" loading={isMaking} onClick={() => make(item)}>
        {t.sources.makeDraft}
      </Button>
      {models.length > 1 && (
        <Menu position="bottom-end">
          <Menu.Target>
            <ActionIcon
              size={30}
              aria-label={t.sources.otherModel}
              disabled={isMaking}
              className={classes.more}
            >
              <IconChevronDown size={14} aria-hidden />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown mah={320} style={{ overflow: 'auto' }}>
            <Menu.Label>{t.sources.makeDraftOf}</Menu.Label>
            {models.map(({ id, body }) => (
              <Menu.Item key={id} onClick={() => make(item, id)}>
                {body}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      )}
    </Button.Group>
  )
}
