import type { Address } from '../../address.ts'
import { useRead } from '../../api/queries.ts'
import { t } from '../../texts/index.ts'

/** What a view does not hold: which row is open and which view it is. */
const passing = ['view', 'peek']

export const queryOf = (address: Address): string => {
  const kept = Object.entries(address).filter(([name, value]) => !passing.includes(name) && value !== '')
  return new URLSearchParams(kept).toString()
}

export const addressOf = (query: string): Address => Object.fromEntries(new URLSearchParams(query))

export type BuiltIn = 'all' | 'mine' | 'review' | 'scheduled'
export const builtIn: BuiltIn[] = ['all', 'mine', 'review', 'scheduled']
export const builtInName = (name: BuiltIn): string => t.views[name]

/** What a view that is always there asks for, beside the filters of the address. */
export const impliedBy = (view: string | undefined, myId: string | undefined): Record<string, string> => {
  if (view === 'mine') return { 'or[0][assigned_to][eq]': myId ?? '-', 'or[1][created_by][eq]': myId ?? '-' }
  if (view === 'review') return { 'status[eq]': 'Review' }
  if (view === 'scheduled') return { 'publish_on[gt]': thisMinute() }
  return {}
}

/** So that the same list is asked for again within a minute. */
const thisMinute = (): string => new Date(Math.floor(Date.now() / 60_000) * 60_000).toISOString()

export const useViews = (area: string) =>
  useRead('/views', { query: { area: { eq: area }, limit: 100 } }).data?.items ?? []
