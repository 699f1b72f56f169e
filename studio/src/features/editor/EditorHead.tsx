import { ActionIcon, Anchor, Button, Group, Title } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { IconArrowLeft, IconExternalLink, IconLayoutSidebarRight } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useCan } from '../../api/access.ts'
import { useRead } from '../../api/queries.ts'
import { toast, toastError } from '../../components/toast.tsx'
import { t } from '../../texts/index.ts'
import classes from './Editor.module.css'
import { MoreMenu } from './MoreMenu.tsx'
import { shortName } from './names.ts'
import { SaveState } from './SaveState.tsx'
import { itemKey, localeKey } from './saving/keys.ts'
import { publish } from './saving/publish.ts'
import { useFacts, usePendingCount } from './saving/state.ts'
import { useValue } from './saving/store.ts'
import type { Field, Value } from './saving/values.ts'
import type { Opened } from './use-work.ts'

type Props = {
  opened: Opened
  title: Field | undefined
  locale: string
  locales: string[]
  isPanelOpen: boolean
  onPanel: () => void
}

export const plainFields = 'published,preview_url,share_url,insights,created_by{name},updated_by{name}'

const plainText = (value: Value | null): string => {
  const body = (value?.body as string | undefined) ?? ''
  return value?.format ? body : (new DOMParser().parseFromString(body, 'text/html').body.textContent ?? '')
}

export const EditorHead = ({ opened, title, locale, locales, isPanelOpen, onPanel }: Props) => {
  const { work } = opened
  const can = useCan()
  const facts = useFacts()
  const pending = usePendingCount()
  const [busy, setBusy] = useState(false)
  const titled = useValue<Value | null>(title ? itemKey(title, locale) : '$none')
  const publishOn = useValue<string | null>(localeKey('publish_on', locale))
  const name = plainText(titled) || t.common.unnamed
  const row = useRead(
    '/publications/{id}',
    { path: { id: facts.id ?? '' }, query: { fields: plainFields } },
    { enabled: facts.id !== undefined },
  ).data
  const published = row?.published?.[locale]
  const isOpen = pending > 0 || facts.draft[locale] !== undefined || facts.draft.all !== undefined
  const language = shortName(locale, locales)
  const comes = !!publishOn && Date.parse(publishOn) > Date.now()
  useEffect(() => {
    document.title = t.frame.page(name)
  }, [name])

  const save = async () => {
    if (await work.save()) toast(t.editor.draftSaved)
  }
  const doPublish = async (which: string[]) => {
    setBusy(true)
    try {
      await publish(work, which)
      const names = which.map((one) => shortName(one, locales)).join(', ')
      if (!work.isBusy()) toast(comes ? t.editor.scheduled(names) : t.editor.published(names))
    } catch (error) {
      toastError(t.editor.publishing, error)
    } finally {
      setBusy(false)
    }
  }
  const mayPublish =
    can('publications_publish') && !busy && (isOpen || (facts.id !== undefined && !published))
  useHotkeys(
    [
      ['mod+S', () => void save()],
      ['mod+shift+P', () => mayPublish && void doPublish([locale])],
    ],
    [],
    true,
  )
  const preview = row?.preview_url?.[locale] ?? row?.share_url?.[locale]
  return (
    <header className={classes.head}>
      <ActionIcon component={Link} to="/content" variant="subtle" color="gray" aria-label={t.editor.back}>
        <IconArrowLeft size={18} aria-hidden />
      </ActionIcon>
      <div className={classes.names}>
        <Title order={1} size="h4" className="ellipsis">
          {name}
        </Title>
        <SaveState published={published} publishOn={publishOn} locale={locale} />
      </div>
      <Group gap="sm" wrap="nowrap">
        {preview && (
          <Anchor href={preview} target="_blank" rel="noreferrer" size="sm" className={classes.locale}>
            {t.editor.preview}
            <IconExternalLink size={14} aria-hidden />
          </Anchor>
        )}
        {can('publications_publish') && (
          <Button disabled={!mayPublish} loading={busy} onClick={() => doPublish([locale])}>
            {comes ? t.editor.schedule(language) : t.editor.publish(language)}
          </Button>
        )}
        <MoreMenu opened={opened} name={name} locale={locale} locales={locales} onPublish={doPublish} />
        <ActionIcon
          variant="default"
          size={36}
          aria-label={t.editor.details}
          aria-pressed={isPanelOpen}
          onClick={onPanel}
        >
          <IconLayoutSidebarRight size={16} aria-hidden />
        </ActionIcon>
      </Group>
    </header>
  )
}
