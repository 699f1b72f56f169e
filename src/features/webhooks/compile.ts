import type { Context } from '../../context.ts'
import { Invalid } from '../../errors.ts'
import { emittedName } from '../../events.ts'
import type { EnvironmentRow } from '../access/table.ts'
import type { Conjunction } from '../publications/list/atoms.ts'
import { readMatch, type StoredMatch } from '../publications/match.ts'
import type { Snapshot } from '../publications/snapshot.ts'
import { compileWebhookFilter } from './check.ts'
import type { WebhookRow } from './table.ts'

export type Compilable = Pick<WebhookRow, 'id' | 'version' | 'events' | 'filter'>

/** A webhook ready to be asked whether an event is for it. */
export type CompiledWebhook = {
  webhook: Compilable
  /** Emitted name → the name that it was registered with. */
  names: ReadonlyMap<string, string>
  /** Undefined: it has no filter. */
  conjunction: Conjunction | undefined
  /** Whether words are searched for: what they stand for grows with what is written. */
  searches: boolean
  matches(snapshot: Snapshot): boolean
}

const everything = { conjunction: undefined, searches: false, matches: () => true }
/** What its filter names is no more, a field or a locale; it can be changed, and until then it is not called. */
const nothing = { conjunction: { atoms: [], alternatives: [[]] }, searches: false, matches: () => false }

export const compileWebhook = async (
  context: Pick<Context, 'db' | 'remember'>,
  environment: EnvironmentRow,
  webhook: Compilable,
): Promise<CompiledWebhook> => {
  const about = { webhook, names: namesOf(webhook) }
  if (!webhook.filter) return { ...about, ...everything }
  try {
    const filter = await compileWebhookFilter(context, environment, webhook.filter)
    const { conjunction, matches, searched } = filter
    return { ...about, conjunction, matches, searches: searched.length > 0 }
  } catch (error) {
    if (!(error instanceof Invalid)) throw error
    return { ...about, ...nothing }
  }
}

/** Whether an event of one of its names is for it, by what was kept of the publication. */
export const isWanted = (
  { conjunction, matches }: CompiledWebhook,
  { match }: { match: StoredMatch | null },
): boolean => conjunction === undefined || (match !== null && matches(readMatch(match)))

/** By whichever name was given first. */
const namesOf = ({ events }: Compilable): ReadonlyMap<string, string> =>
  new Map(events.map((name): [string, string] => [emittedName(name), name]).reverse())
