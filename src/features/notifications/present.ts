import { isoDate, isoDateOrNull } from '../../dates.ts'
import type { NotificationRow } from './table.ts'

export const presentNotification = (row: NotificationRow) => ({
  created_on: isoDate(row.created_on),
  changed_on: isoDateOrNull(row.changed_on),
  label: 'Notification' as const,
  state: row.state,
  publication: { id: row.publication_id },
})
