import type { Generated, Selectable } from 'kysely'

export const notificationStates = ['pending', 'published', 'discarded'] as const
export type NotificationState = (typeof notificationStates)[number]

/** What a person is told of a publication. */
type NotificationTable = {
  environment_id: string
  person_key: string
  publication_id: string
  state: Generated<NotificationState>
  created_on: Generated<Date>
  changed_on: Date | null
}

export type NotificationRow = Selectable<NotificationTable>
