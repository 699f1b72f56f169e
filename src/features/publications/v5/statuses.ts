import type { Structure } from '../structure.ts'

/** Version 5 → the name of the status. Any other status keeps its own name. */
const names: Record<string, string> = {
  draft: 'To do',
  pending: 'In progress',
  approval: 'Review',
  published: 'Done',
  unpublished: 'Archived',
}
const byBody = new Map(Object.entries(names).map(([name, body]) => [body.toLowerCase(), name]))

/** What a Done one is called when its time is over. */
export const expired = 'Expired'

export const bodyOfStatus = (name: string): string =>
  Object.hasOwn(names, name.toLowerCase()) ? names[name.toLowerCase()]! : name

const nameOfStatus = (body: string): string => byBody.get(body.toLowerCase()) ?? body

export const statusNames = ({ statuses }: Structure): string[] => [
  ...[...statuses.values()].map(({ body }) => nameOfStatus(body)),
  expired,
]

export const isExpiredName = (name: string): boolean => name.toLowerCase() === expired.toLowerCase()

type State = { status_id: string; expired: boolean }

export const statusOf = ({ statuses }: Structure, state: State): string | null => {
  if (state.expired) return expired
  const status = statuses.get(state.status_id)
  return status ? nameOfStatus(status.body) : null
}
