import { api } from '../../api/client.ts'
import { refresh } from '../../api/queries.ts'
import { leaveLater } from '../../components/leaving.ts'
import { t } from '../../texts/index.ts'
import type { Source } from './source.ts'

/**
 * A source is paused at once and deleted once that cannot be undone any more: deleting takes its items and its
 * password with it, which no undo could bring back. Who leaves the page in between leaves it paused.
 */
export const stopFollowing = ({ id, name, active }: Source): Promise<void> => {
  const path = { id }
  const set = async (value: boolean) => {
    if (active) await api.put('/v5/sources/{id}', { path, body: { active: value } })
  }
  return leaveLater({
    id,
    message: t.sources.stopped(name),
    what: t.sources.stopping,
    first: () => set(false),
    remove: () => api.delete('/v5/sources/{id}', { path }),
    back: () => set(true),
    after: () => refresh('sources'),
  })
}
