import { api } from '../../api/client.ts'
import type { Asset } from './files.ts'

export const bodiesOf = ({ tags }: Asset): string[] => (tags?.items ?? []).map(({ body }) => body)

/** Lists do not carry tags. */
export const readTags = ({ id }: Asset): Promise<Asset> =>
  api.get('/assets/{id}', { path: { id }, query: { fields: 'tags' } })
