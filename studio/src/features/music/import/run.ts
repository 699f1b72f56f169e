import type { V5 } from 'marquee-sdk'
import { api } from '../../../api/client.ts'

export type Kind = 'timelines' | 'tracks' | 'artists'
export type Import = Omit<V5.TrackImport, 'label' | 'match'>
export type ImportFault = V5.ImportError

/** What the name of a file tells of its form. */
const formatOf = (name: string): 'csv' | 'ndjson' => (/\.(nd)?jsonl?$/i.test(name) ? 'ndjson' : 'csv')
const types = { csv: 'text/csv', ndjson: 'application/x-ndjson' }

type Asked = { kind: Kind; file: File; isTrial: boolean; defaults: Record<string, string> }

/** Sends a file and tells, until it is dealt with, how far that is. */
export const runImport = async (
  { kind, file, isTrial, defaults }: Asked,
  signal: AbortSignal,
  onProgress: (state: Import) => void,
): Promise<Import> => {
  const format = formatOf(file.name)
  let state = (await api.post(`/v5/${kind}/bulk/import`, {
    query: { ...defaults, format, dry_run: isTrial ? 'true' : 'false' },
    body: new Blob([file], { type: types[format] }),
  })) as Import
  while (state.status === 'pending' || state.status === 'running') {
    onProgress(state)
    await new Promise((resolve) => setTimeout(resolve, 400))
    signal.throwIfAborted()
    state = (await api.get(`/v5/${kind}/imports/{id}`, { path: { id: state.id } })) as Import
  }
  return state
}

const mostShown = 100

export const faultsIn = async (kind: Kind, { id, failed }: Import): Promise<ImportFault[]> => {
  if (failed === 0) return []
  const given = { path: { id }, query: { limit: mostShown, total: false } }
  return (await api.get(`/v5/${kind}/imports/{id}/errors`, given)).items
}
