import { Tooltip } from '@mantine/core'
import { StatusMark } from '../components/StatusMark.tsx'
import { useIsSmall } from '../components/small.ts'
import { useLiveState } from '../live/live.ts'
import { t } from '../texts/index.ts'
import classes from './LiveIndicator.module.css'

const meanings = { live: 'done', connecting: 'none', lost: 'waiting' } as const

/** Whether the page hears of changes; a lost connection is said quietly. */
export const LiveIndicator = () => {
  const state = useLiveState()
  const short = useIsSmall('phone') && state === 'live'
  const word = { live: t.frame.live, connecting: t.frame.connecting, lost: t.frame.lost }[state]
  return (
    <Tooltip label={state === 'lost' ? t.frame.lostHint : t.frame.liveHint}>
      <span role="status" className={classes.live} aria-label={word}>
        <StatusMark meaning={meanings[state]}>{short ? '' : word}</StatusMark>
      </span>
    </Tooltip>
  )
}
