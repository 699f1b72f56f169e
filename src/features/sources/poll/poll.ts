import { OutgoingFailure } from '../../../outgoing/failure.ts'
import { connectors } from '../connect/connectors.ts'
import { type Asking, type Due, type Fetched, PollFailure, type State } from '../connect/polling.ts'
import { isConnected, notConnected } from '../labels.ts'
import type { NewItem } from '../parse/digest.ts'
import { delayAfter, frequencyOf, learnedInterval, slackened } from './pace.ts'

/** What became of one poll, as it is written down. */
export type Polled = {
  environment_id: string
  id: string
  generation: number
  delay: number
  interval: number
  frequency: number
  failed: number
  error: string | null
  /** Whether it was asked at all. */
  fetched: boolean
  imported: boolean
  state: State
  seen: string | null
  account: Fetched['account'] | null
  items: NewItem[]
}

/** How soon it is looked again whether there is a connector, in seconds. */
const withoutConnector = 3600
/** How soon the rest is asked for, in seconds. */
const forMore = 1

/** Asks a source once. Nothing that the source does makes this fail; what goes wrong here does. */
export const pollOnce = async (asking: Asking, due: Due): Promise<Polled> => {
  if (!isConnected(asking.config, due.label))
    return {
      ...unchanged(due),
      delay: delayAfter(withoutConnector, 0),
      error: notConnected(due.label),
      fetched: false,
    }
  try {
    return succeeded(due, await connectors[due.label]!(asking, due))
  } catch (error) {
    if (asking.signal.aborted) throw error
    return failed(due, error)
  }
}

const unchanged = (due: Due): Polled => ({
  environment_id: due.environment_id,
  id: due.id,
  generation: due.generation,
  delay: due.interval,
  interval: due.interval,
  frequency: due.frequency,
  failed: due.failed,
  error: null,
  fetched: true,
  imported: false,
  state: {},
  seen: null,
  account: null,
  items: [],
})

const week = 7 * 86_400_000

const succeeded = (due: Due, { state, outcome, more, account = undefined }: Fetched): Polled => {
  const items = outcome?.items ?? []
  const silent = due.last_import ? Date.now() - due.last_import.getTime() : 0
  const learned = outcome
    ? learnedInterval(outcome.perDay, due.interval, items.length > 0)
    : slackened(due.interval, silent)
  const interval = due.fixed_interval ?? learned
  const frequency = outcome ? frequencyOf(outcome.perDay, learned) : silent > week ? 0 : due.frequency
  const leftAlone = due.fixed_interval === null ? (outcome?.ttl ?? 0) : 0
  return {
    ...unchanged(due),
    delay: more ? forMore : delayAfter(interval, 0, leftAlone),
    interval,
    frequency,
    failed: 0,
    imported: items.length > 0,
    state,
    seen: outcome?.seen ?? null,
    account: account ?? null,
    items,
  }
}

const failed = (due: Due, error: unknown): Polled => {
  const failed = due.failed + 1
  const askedFor = error instanceof PollFailure ? error.retryAfter : undefined
  return {
    ...unchanged(due),
    failed,
    error: messageOf(error),
    delay: delayAfter(due.interval, failed, askedFor),
  }
}

/** In words that are ours: others may tell what is inside. */
const messageOf = (error: unknown): string =>
  error instanceof PollFailure || error instanceof OutgoingFailure
    ? error.message
    : 'The source could not be read'
