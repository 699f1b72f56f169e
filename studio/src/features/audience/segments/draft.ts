import { environmentInAddress } from '../../../api/session.ts'
import { bodyOf } from '../../../components/filters/conditions.ts'
import type { Filter } from '../../../components/filters/filter.ts'
import { type RuleGroup, ruleName } from './rules.ts'

/** A segment that is being written. */
export type Draft = { body: string; group: RuleGroup }

export const blankDraft: Draft = { body: '', group: { key: '', match: 'all', items: [] } }

/** Kept in the window until it is saved or thrown away. `new` is one that is not there yet. */
const keyOf = (id: string): string => `marquee.segment.${environmentInAddress()}.${id}`

export const storedDraft = (id: string): Draft | undefined => {
  const text = sessionStorage.getItem(keyOf(id))
  return text ? JSON.parse(text) : undefined
}

export const storeDraft = (id: string, draft: Draft | undefined): void => {
  if (draft) sessionStorage.setItem(keyOf(id), JSON.stringify(draft))
  else sessionStorage.removeItem(keyOf(id))
}

/** A new segment of those whom filters find; each filter is a rule. */
export const beginSegment = (conditions: Filter[]): void => {
  const items = conditions.map((condition, index) => ({
    key: ruleName(index + 1),
    filter: bodyOf([condition]),
  }))
  storeDraft('new', { ...blankDraft, group: { ...blankDraft.group, items } })
}
