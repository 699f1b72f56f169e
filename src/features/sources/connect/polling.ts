import type { Context } from '../../../context.ts'
import type { FeedReader, Outcome } from '../parse/run.ts'
import type { SourcePollRow, SourceRow } from '../table.ts'
import type { ByteBudget } from './budget.ts'

/** A source that is due, with what its last poll left. */
export type Due = Pick<
  SourceRow,
  | 'environment_id'
  | 'id'
  | 'label'
  | 'url'
  | 'active'
  | 'fixed_interval'
  | 'username'
  | 'password'
  | 'account_id'
  | 'screen_name'
  | 'body'
> &
  Pick<
    SourcePollRow,
    | 'host'
    | 'interval'
    | 'frequency'
    | 'failed'
    | 'last_import'
    | 'address'
    | 'etag'
    | 'last_modified'
    | 'content_hash'
    | 'cursor'
    | 'seen'
    | 'generation'
  >

/** What the next poll is asked with. */
export type State = Partial<
  Pick<SourcePollRow, 'address' | 'etag' | 'last_modified' | 'cursor'> & { content_hash: string }
>

export type Fetched = {
  state: State
  /** Nothing where nothing is new. */
  outcome?: Omit<Outcome, 'count'>
  /** There is more than one poll brings. */
  more?: boolean
  /** What was found out about an account. */
  account?: { account_id: string; url: string | null; picture: string | null }
}

export type Asking = Pick<Context, 'config' | 'outgoing' | 'keys'> & {
  reader: FeedReader
  budget: ByteBudget
  signal: AbortSignal
}

export type Connector = (asking: Asking, due: Due) => Promise<Fetched>

/** A poll that came to nothing, in words for whoever follows the source. */
export class PollFailure extends Error {
  readonly retryAfter: number | undefined
  /** In seconds, where the source says when to come back. */
  constructor(message: string, retryAfter?: number) {
    super(message)
    this.retryAfter = retryAfter
  }
}

/** Until the last byte. */
export const timeout = 10_000
export const maxBytes = 5_000_000
