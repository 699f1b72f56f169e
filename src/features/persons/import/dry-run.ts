import { Invalid } from '../../../errors.ts'
import { blankPerson } from '../apply.ts'
import { confirmCode } from '../confirm-code.ts'
import { inputFaults, ownRules } from '../look-up.ts'
import type { Person } from '../table.ts'
import type { Wanted, Work } from './apply.ts'
import { allNames, type MatchBy, matchedBy, type Names, notTheirs, shared, taken } from './match.ts'

/** What would become of a row. `seen` are names of those whom earlier rows would have made; `made` gets new ones. */
export const judgeOnly = async (
  { context, tx, actor, order }: Work,
  { input, names }: Wanted,
  person: Person | null,
  seen: Set<string>,
  made: string[],
): Promise<'created' | 'updated'> => {
  const isThere = wouldBeThere(names, person, seen, order.match_by as MatchBy | null)
  const before = person ?? blankPerson(actor, input.id)
  const faults = await inputFaults(tx, context.keys, actor, before, input, ownRules)
  if (faults.length > 0) throw new Invalid(faults)
  confirmCode(context.keys, before, input.two_factor_code)
  if (!isThere) made.push(...allNames(names))
  return isThere ? 'updated' : 'created'
}

/** As `targetOf` would find it if earlier rows had made whom they name. */
const wouldBeThere = (
  names: Names,
  person: Person | null,
  seen: Set<string>,
  match: MatchBy | null,
): boolean => {
  const isSeen = (kind: MatchBy) => names[kind].some((name) => seen.has(`${kind} ${name}`))
  const found = matchedBy(match).find(isSeen)
  const ids = person !== null || (names.id.length > 0 && !isSeen('id'))
  if (found === 'email' && person) throw shared(found)
  if (found !== undefined && found !== 'id' && ids) throw notTheirs()
  if (found === undefined && isSeen('reference_id')) throw taken('reference_id')
  if (found === undefined && isSeen('id')) throw taken('id')
  return person !== null || found !== undefined
}
