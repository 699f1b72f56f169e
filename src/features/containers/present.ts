import { column, type Expansions } from '../../http/expand.ts'
import { presentBase } from '../../http/schemas.ts'
import { commonExpansions } from '../access/expansions.ts'
import { Description } from './schema.ts'
import type { ContainerRow } from './table.ts'

export const presentContainer = (row: ContainerRow) => ({
  ...presentBase('Container', row),
  body: row.body,
  slug: row.slug,
})

/** What happened to a container is told with all of it. */
export const describeContainer = (row: ContainerRow) => ({
  ...presentContainer(row),
  description: row.description,
})

export const containerExpansions: Expansions<ContainerRow> = {
  ...commonExpansions,
  description: column('description', Description),
}
