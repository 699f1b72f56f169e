import { Button, Menu, Skeleton, Stack, Tabs, Text, TextInput } from '@mantine/core'
import { IconChevronDown } from '@tabler/icons-react'
import { useParams } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useAddress } from '../../../address.ts'
import { useCan } from '../../../api/access.ts'
import { download } from '../../../components/download.ts'
import { ErrorState } from '../../../components/ErrorState.tsx'
import { formatNumber } from '../../../components/format.ts'
import { PageHead } from '../../../components/PageHead.tsx'
import { toastError } from '../../../components/toast.tsx'
import { t } from '../../../texts/index.ts'
import classes from '../Audience.module.css'
import { AudienceTabs } from '../AudienceTabs.tsx'
import { knownFields, personFields } from '../fields.ts'
import { GroupBox } from './GroupBox.tsx'
import { LiveCount } from './LiveCount.tsx'
import { Members } from './Members.tsx'
import { writeRules } from './rules.ts'
import own from './Segment.module.css'
import { type Segment, useSegment } from './use-segment.ts'

const SegmentPage = () => {
  const { id } = useParams({ strict: false }) as { id: string }
  const [address, change] = useAddress()
  const can = useCan()
  const held = useSegment(id)
  const { segment, isNew, draft } = held
  if (held.error)
    return <ErrorState title={t.audience.segmentMissing} error={held.error} retry={held.retry} />
  const mayWrite = can('segments_publish')
  const part = isNew ? 'rules' : (address.part ?? 'rules')
  return (
    <div className={classes.page}>
      <PageHead
        title={isNew ? t.audience.newSegment : (segment?.body ?? t.common.loading)}
        hint={segment && hintOf(segment)}
        below={<AudienceTabs current="segments" />}
      >
        {segment && <SegmentMenu segment={segment} onRemove={mayWrite ? held.remove : undefined} />}
      </PageHead>
      <Tabs
        value={part}
        onChange={(next) =>
          change({ part: next === 'rules' ? undefined : (next ?? undefined), peek: undefined })
        }
        keepMounted={false}
        className={own.tabs}
      >
        {!isNew && (
          <Tabs.List className={own.parts}>
            <Tabs.Tab value="rules">{t.audience.rules}</Tabs.Tab>
            {can('persons') && <Tabs.Tab value="members">{t.audience.members}</Tabs.Tab>}
          </Tabs.List>
        )}
        <Tabs.Panel value="rules" className={own.rules}>
          {held.isLoading ? (
            <Skeleton height={200} />
          ) : (
            <Stack gap="lg" maw={820}>
              <TextInput
                label={t.audience.segmentName}
                value={draft.body}
                readOnly={!mayWrite}
                onChange={(event) => held.write({ ...draft, body: event.currentTarget.value })}
              />
              <Builder held={held} mayWrite={mayWrite} />
            </Stack>
          )}
        </Tabs.Panel>
        <Tabs.Panel value="members" className={own.members}>
          {segment && <Members segment={segment} />}
        </Tabs.Panel>
      </Tabs>
    </div>
  )
}

const hintOf = ({ total, status }: Segment): string =>
  t.audience.persons_(formatNumber(total)) + (status === 'pending' ? `, ${t.audience.pending}` : '')

const Builder = ({ held, mayWrite }: { held: ReturnType<typeof useSegment>; mayWrite: boolean }) => {
  const known = useMemo(knownFields, [])
  const offered = useMemo(personFields, [])
  const can = useCan()
  const { draft, isNew, isChanged } = held
  return (
    <>
      <fieldset className={own.plain} disabled={!mayWrite} aria-label={t.audience.rules}>
        <GroupBox
          group={draft.group}
          known={known}
          offered={offered}
          onChange={(group) => held.write({ ...draft, group })}
        />
      </fieldset>
      {can('persons') && <LiveCount rules={writeRules(draft.group)} />}
      {mayWrite && (
        <div className={own.foot}>
          <Button size="xs" onClick={held.save} disabled={!isChanged || draft.body.trim() === ''}>
            {isNew ? t.audience.create : t.audience.save}
          </Button>
          {isChanged && (
            <>
              <Button size="xs" variant="default" onClick={() => held.write(undefined)}>
                {t.audience.discard}
              </Button>
              <Text size="xs" c="dimmed">
                {t.audience.unsaved}
              </Text>
            </>
          )}
        </div>
      )}
    </>
  )
}

type MenuProps = { segment: Segment; onRemove: (() => void) | undefined }

const SegmentMenu = ({ segment, onRemove }: MenuProps) => {
  const can = useCan()
  const save = (format: 'csv' | 'ndjson') => () => {
    const path = `/segments/${encodeURIComponent(segment.id)}/export?format=${format}`
    download(path, `${segment.body.replaceAll(/[^\p{L}\p{N}]+/gu, '-') || 'segment'}.${format}`).catch(
      (error) => toastError(t.audience.exporting, error),
    )
  }
  return (
    <Menu position="bottom-end" width={250}>
      <Menu.Target>
        <Button size="xs" variant="default" rightSection={<IconChevronDown size={14} aria-hidden />}>
          {t.audience.more}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {can('persons') && (
          <>
            <Menu.Item onClick={save('csv')}>{t.audience.exportCsv}</Menu.Item>
            <Menu.Item onClick={save('ndjson')}>{t.audience.exportNdjson}</Menu.Item>
          </>
        )}
        {onRemove && (
          <>
            <Menu.Divider />
            <Menu.Item c="var(--danger)" onClick={onRemove}>
              {t.audience.segmentDelete}
            </Menu.Item>
          </>
        )}
      </Menu.Dropdown>
    </Menu>
  )
}

export default SegmentPage
