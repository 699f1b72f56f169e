import type { Path } from 'marquee-sdk'
import { api } from '../../../api/client.ts'
import { keyOf, refresh } from '../../../api/queries.ts'
import { toast } from '../../../components/toast.tsx'
import { t } from '../../../texts/index.ts'

export const kindOf = (path: string): string => keyOf(path)[0] as string

/** Makes a record, or changes one with a way back to `before`. */
export const saveRecord = async <Row extends { id: string }>(
  path: Path<'POST'> & string,
  row: { id: string } | undefined,
  name: string,
  body: object,
  before?: object,
): Promise<Row> => {
  const put = (id: string, sent: object) =>
    api.fetch('PUT', `${path}/{id}`, { path: { id }, body: sent }).then((response) => response.json())
  if (!row) {
    const made = (await api.post(path, { body } as never)) as unknown as Row
    refresh(kindOf(path))
    toast(t.settings.created(name))
    return made
  }
  const changed = await put(row.id, body)
  refresh(kindOf(path))
  const undo = async () => {
    await put(row.id, before!)
    refresh(kindOf(path))
  }
  toast(t.settings.saved(name), before && undo)
  return changed
}

export const removeRecord = (path: string, id: string): Promise<Response> =>
  api.fetch('DELETE', `${path}/{id}`, { path: { id } })
