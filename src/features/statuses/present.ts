import { presentBase } from '../../http/schemas.ts'
import type { StatusRow } from './table.ts'

export const presentStatus = (row: StatusRow) => ({ ...presentBase('Status', row), body: row.body })
