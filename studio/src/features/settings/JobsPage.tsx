import { Button, Group, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { Marquee } from 'marquee-sdk'
import { useMemo } from 'react'
import { api } from '../../api/client.ts'
import { refresh } from '../../api/queries.ts'
import type { Column } from '../../components/DataTable.tsx'
import { formatNumber } from '../../components/format.ts'
import { RelativeTime } from '../../components/RelativeTime.tsx'
import { type Meaning, StatusMark } from '../../components/StatusMark.tsx'
import { toast, toastError } from '../../components/toast.tsx'
import { t } from '../../texts/index.ts'
import { Facts } from './parts/Facts.tsx'
import { RecordSection } from './parts/RecordSection.tsx'
import classes from './Settings.module.css'

type Job = Marquee.Job
type State = 'running' | 'waiting' | 'failing' | 'failed'

const stateOf = ({ locked, last_error, attempts, max_attempts }: Job): State => {
  if (locked) return 'running'
  if (!last_error) return 'waiting'
  return attempts >= max_attempts ? 'failed' : 'failing'
}
const meanings: Record<State, Meaning> = {
  running: 'started',
  waiting: 'none',
  failing: 'waiting',
  failed: 'danger',
}

const useColumns = (): Column<Job>[] =>
  useMemo(() => {
    const texts = t.settings.jobs
    return [
      {
        key: 'task',
        title: texts.task,
        width: 'minmax(160px, 2fr)',
        small: 'first',
        render: ({ task }) => <span className={`${classes.name} ellipsis`}>{task}</span>,
      },
      {
        key: 'state',
        title: t.settings.state,
        width: 'minmax(120px, 1fr)',
        small: 'second',
        render: (job) => (
          <StatusMark meaning={meanings[stateOf(job)]}>{texts.state[stateOf(job)]}</StatusMark>
        ),
      },
      {
        key: 'attempts',
        title: texts.attempts,
        width: '100px',
        keep: 2,
        render: ({ attempts, max_attempts }) => texts.of(formatNumber(attempts), formatNumber(max_attempts)),
      },
      {
        key: 'run_at',
        title: texts.runAt,
        width: '120px',
        keep: 3,
        small: 'second',
        render: ({ run_at }) => <RelativeTime at={run_at} />,
      },
      {
        key: 'last_error',
        title: texts.error,
        width: 'minmax(120px, 3fr)',
        keep: 1,
        render: ({ last_error }) => <span className="ellipsis">{last_error}</span>,
      },
    ]
  }, [])

const JobsPage = () => {
  const texts = t.settings.jobs
  return (
    <RecordSection<Job>
      name="jobs"
      path="/jobs"
      columns={useColumns()}
      nameOf={({ task }) => task}
      searchBy={{ name: 'task[sw]', label: texts.task }}
      empty={{ title: texts.first, hint: texts.firstHint }}
      above={<Health />}
    >
      {(job) => job && <JobDetail job={job} />}
    </RecordSection>
  )
}

/** Whether everything runs, looked at every ten seconds. */
const Health = () => {
  const texts = t.settings.jobs
  const health = useQuery({
    queryKey: ['health'],
    queryFn: () => api.get('/health'),
    refetchInterval: 10_000,
    retry: false,
  })
  const isWell = !health.error
  return (
    <div className={classes.health} role="status" aria-label={texts.health}>
      {(health.data || health.error) && (
        <>
          <StatusMark meaning={isWell ? 'done' : 'danger'}>
            {isWell ? texts.healthy : `${texts.unhealthy}: ${health.error?.message ?? ''}`}
          </StatusMark>
          <span style={{ color: 'var(--mantine-color-dimmed)' }}>
            {texts.checked}{' '}
            <RelativeTime at={new Date(health.dataUpdatedAt || health.errorUpdatedAt).toISOString()} />
          </span>
        </>
      )}
    </div>
  )
}

const JobDetail = ({ job }: { job: Job }) => {
  const texts = t.settings.jobs
  const retry = async () => {
    try {
      await api.post('/jobs/{id}/retry', { path: { id: job.id } })
      refresh('jobs')
      toast(texts.retried)
    } catch (error) {
      toastError(texts.retrying, error)
    }
  }
  return (
    <Stack gap="md">
      <Facts
        facts={[
          [t.settings.state, texts.state[stateOf(job)]],
          [texts.attempts, texts.of(formatNumber(job.attempts), formatNumber(job.max_attempts))],
          [texts.runAt, <RelativeTime key="next" at={job.run_at} />],
          [t.settings.createdOn, <RelativeTime key="made" at={job.created_on} />],
        ]}
      />
      {job.last_error && <code className={classes.code}>{job.last_error}</code>}
      {!job.locked && (
        <Group>
          <Button variant="default" onClick={retry}>
            {texts.retry}
          </Button>
        </Group>
      )}
    </Stack>
  )
}

export default JobsPage
