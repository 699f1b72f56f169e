import { presentBase } from '../../http/schemas.ts'
import type { TagRow } from './table.ts'

export const presentTag = (row: TagRow) => ({ ...presentBase('Tag', row), body: row.body, slug: row.slug })
