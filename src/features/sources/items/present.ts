import { isoDate } from '../../../dates.ts'
import type { SourceItemRecord } from '../table.ts'

const link = (id: string | null) => (id === null ? null : { id })

export const presentSourceItem = (row: SourceItemRecord) => ({
  id: row.id,
  created_on: isoDate(row.created_on),
  label: 'SourceItem' as const,
  source: {
    id: row.source_id,
    label: row.source_label,
    name: row.source_name,
    shortname: row.source_shortname,
  },
  title: row.title,
  body: row.body,
  url: row.url,
  author: row.author,
  image_url: row.image_url,
  published_on: isoDate(row.published_on),
  reference_id: row.reference_id,
  publication: link(row.publication_id),
  asset: link(row.asset_id),
})
