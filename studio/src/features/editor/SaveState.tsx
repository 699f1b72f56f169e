import { useEffect, useState } from 'react'
import { explain } from '../../components/explain.ts'
import { formatRelative, formatTime } from '../../components/format.ts'
import { t } from '../../texts/index.ts'
import classes from './Editor.module.css'
import { type SaveState as State, useFacts, useFaultCount, useSaveState } from './saving/state.ts'

/** Every second while it counts seconds. */
const useClock = (since: number | undefined): number => {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    if (since === undefined) return
    setNow(Date.now())
    const timer = setInterval(() => setNow(Date.now()), Date.now() - since < 60_000 ? 1000 : 30_000)
    return () => clearInterval(timer)
  }, [since])
  return now
}

const ago = (at: number, now: number): string => {
  const seconds = Math.max(0, Math.round((now - at) / 1000))
  return seconds < 60 ? t.editor.secondsAgo(seconds) : formatRelative(at, now)
}

const meaningOf = ({ kind }: State, faults: number) =>
  kind === 'conflict' || kind === 'refused' || faults > 0
    ? 'danger'
    : kind === 'offline'
      ? 'waiting'
      : undefined

type Props = { published: boolean | undefined; publishOn: string | null | undefined; locale: string }

/** Where the work is, and what readers see of it: said at all times. */
export const SaveState = ({ published, publishOn, locale }: Props) => {
  const state = useSaveState()
  const facts = useFacts()
  const faults = useFaultCount()
  const now = useClock(state.kind === 'saved' ? state.at : undefined)
  const draft = facts.draft[locale] ?? facts.draft.all
  const saved = (): string => {
    if (state.kind === 'saved' && faults === 0) return t.editor.saved(ago(state.at, now))
    if (faults > 0) return t.editor.faults(faults)
    if (state.kind === 'refused') return explain(state.error)
    if (state.kind === 'waiting' || state.kind === 'saving') return t.editor.saving
    if (state.kind === 'offline') return t.editor.offline
    if (state.kind === 'conflict') return t.editor.conflict
    if (!facts.id) return t.editor.notMade
    return draft ? t.editor.draftOf(formatRelative(draft.changed_on), draft.updated_by?.name) : ''
  }
  const seen = (): string => {
    if (!facts.id) return ''
    if (published) return draft ? t.editor.differs : t.editor.asPublished
    const comes = publishOn && Date.parse(publishOn) > Date.now()
    return comes ? t.editor.comes(formatTime(publishOn)) : t.content.notPublished
  }
  return (
    <div className={classes.state} data-meaning={meaningOf(state, faults)} role="status">
      <span className="ellipsis figures">{[saved(), seen()].filter(Boolean).join(' · ')}</span>
    </div>
  )
}
