import type { Selectable } from 'kysely'
import { presentBase } from '../../../http/schemas.ts'
import type { PublicationVersionTable } from '../table.ts'

export type ListedVersion = Omit<Selectable<PublicationVersionTable>, 'items' | 'contents'> & {
  sequence: string
}

export const presentVersion = (row: ListedVersion, user: (id: string | null) => object | null) => ({
  ...presentBase('Version', { id: String(row.version), created_on: row.created_on, changed_on: null }),
  version: row.version,
  event: row.event,
  created_by: user(row.created_by),
  locales: Object.keys(row.state).filter((locale) => row.state[locale]!.version === row.version),
  bulk_operation_id: row.bulk_operation_id,
})
