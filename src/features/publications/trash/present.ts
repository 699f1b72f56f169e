import type { Selectable } from 'kysely'
import { isoDate } from '../../../dates.ts'
import { presentBase } from '../../../http/schemas.ts'
import type { DeletedPublicationTable } from '../table.ts'

export type DeletedRow = Selectable<DeletedPublicationTable>

export const presentDeleted = (row: DeletedRow, user: (id: string | null) => object | null) => ({
  ...presentBase('DeletedPublication', { ...row, changed_on: null }),
  title: row.title,
  deleted_on: isoDate(row.deleted_on),
  deleted_by: user(row.deleted_by),
  version: row.version,
})
