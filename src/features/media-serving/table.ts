import type { Generated } from 'kysely'

export type MediaCacheTable = {
  environment_id: string
  key: string
  size: Generated<number>
  used_on: Generated<Date>
}
