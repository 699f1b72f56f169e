import { Button, Skeleton, Tabs } from '@mantine/core'
import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { useAddress } from '../../../address.ts'
import { useCan } from '../../../api/access.ts'
import { useRead } from '../../../api/queries.ts'
import { ErrorState } from '../../../components/ErrorState.tsx'
import { PageHead } from '../../../components/PageHead.tsx'
import { RelativeTime } from '../../../components/RelativeTime.tsx'
import { useIsSmall } from '../../../components/small.ts'
import { t } from '../../../texts/index.ts'
import classes from '../Audience.module.css'
import { AudienceTabs } from '../AudienceTabs.tsx'
import { personName } from '../person.ts'
import { Details } from './Details.tsx'
import { EditPerson } from './EditPerson.tsx'
import { LinkedPublications } from './LinkedPublications.tsx'
import own from './Person.module.css'
import { PersonMenu } from './PersonMenu.tsx'
import { PersonSegments } from './PersonSegments.tsx'
import { Remarks } from './Remarks.tsx'
import { Timeline } from './Timeline.tsx'

export const personFields =
  'reference_id,preposition,prefix_last_name,gender,date_of_birth,age,company,job_title,description,biography,social_media_handle,tracking,two_factor,emails,phones,addresses,terms,accounts,tags,bank_accounts'

const parts = ['timeline', 'likes', 'subscriptions', 'remarks', 'segments'] as const

const PersonPage = () => {
  const { id } = useParams({ strict: false }) as { id: string }
  const [address, change] = useAddress()
  const [editing, setEditing] = useState(false)
  const can = useCan()
  const small = useIsSmall('phone')
  const read = useRead('/persons/{id}', { path: { id }, query: { fields: personFields } })
  const person = read.data
  if (read.error && !person)
    return <ErrorState title={t.audience.loadFailed} error={read.error} retry={read.refetch} />
  const mayWrite = can('persons_publish')
  const shown = parts.filter(
    (part) => (part !== 'remarks' || mayWrite) && (part !== 'segments' || can('segments')),
  )
  const titles = {
    timeline: t.audience.timeline,
    likes: t.audience.likes,
    subscriptions: t.audience.subscriptions,
    remarks: t.audience.remarks,
    segments: t.audience.inSegments,
  }
  const edit = person && mayWrite && !editing && (
    <Button size="xs" variant="default" onClick={() => setEditing(true)}>
      {t.audience.edit}
    </Button>
  )
  return (
    <div className={classes.page}>
      <PageHead
        title={person ? personName(person) : t.common.loading}
        hint={
          person &&
          !small && (
            <>
              {t.audience.lastSeen} <RelativeTime at={person.last_seen} />
            </>
          )
        }
        below={<AudienceTabs current="persons" />}
      >
        {!small && edit}
        {person && <PersonMenu person={person} />}
      </PageHead>
      <div className={own.split}>
        <section className={own.details} aria-label={t.audience.details}>
          {!person && <Skeleton height={240} />}
          {person && !editing && <Details person={person} />}
          {small && edit && <div className={own.edit}>{edit}</div>}
          {person && editing && <EditPerson person={person} onDone={() => setEditing(false)} />}
        </section>
        <div className={own.main}>
          <Tabs
            value={address.part ?? 'timeline'}
            onChange={(part) => change({ part: part === 'timeline' ? undefined : (part ?? undefined) })}
            keepMounted={false}
          >
            <Tabs.List className={own.tabs}>
              {shown.map((part) => (
                <Tabs.Tab key={part} value={part}>
                  {titles[part]}
                </Tabs.Tab>
              ))}
            </Tabs.List>
            <Tabs.Panel value="timeline" className={own.section}>
              <Timeline id={id} />
            </Tabs.Panel>
            {(['likes', 'subscriptions'] as const).map((kind) => (
              <Tabs.Panel key={kind} value={kind} className={own.section}>
                <LinkedPublications id={id} kind={kind} />
              </Tabs.Panel>
            ))}
            <Tabs.Panel value="remarks" className={own.section}>
              <Remarks id={id} />
            </Tabs.Panel>
            <Tabs.Panel value="segments" className={own.section}>
              <PersonSegments id={id} />
            </Tabs.Panel>
          </Tabs>
        </div>
      </div>
    </div>
  )
}

export default PersonPage
