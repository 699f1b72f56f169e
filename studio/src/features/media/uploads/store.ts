import { useSyncExternalStore } from 'react'
import { refresh } from '../../../api/queries.ts'
import { t } from '../../../texts/index.ts'
import { type Asset, type AssetLabel, labelOf } from '../files.ts'
import { isPassing, patience, sendForm } from './send.ts'
import { sendVideo } from './video.ts'

export type UploadState = 'queued' | 'sending' | 'lost' | 'paused' | 'done' | 'failed'
export type Upload = {
  key: string
  file: File
  label: AssetLabel | undefined
  /** The asset whose bytes these are to be, in place of its own. */
  replaces?: string | undefined
  values: { folder?: string | undefined }
  state: UploadState
  sent: number
  asset?: Asset
  /** The same bytes were there before. */
  known?: boolean
  error?: unknown
  onDone?: ((asset: Asset) => void) | undefined
}

let uploads: Upload[] = []
const running = new Map<string, AbortController>()
const watchers = new Set<() => void>()
const most = 2

const set = (next: Upload[]): void => {
  uploads = next
  for (const watcher of watchers) watcher()
}
const change = (key: string, changes: Partial<Upload>): void =>
  set(uploads.map((one) => (one.key === key ? { ...one, ...changes } : one)))

/** All uploads of this page, also while another area is looked at. */
export const useUploads = (): Upload[] =>
  useSyncExternalStore(
    (watcher) => {
      watchers.add(watcher)
      return () => watchers.delete(watcher)
    },
    () => uploads,
  )

type Options = {
  folder?: string | undefined
  /** In place of what the browser takes it for. */
  as?: AssetLabel | undefined
  replaces?: string
  onDone?: (asset: Asset) => void
}

export const addUploads = (files: Iterable<File>, { folder, as, replaces, onDone }: Options = {}): void => {
  const added = [...files].map((file): Upload => {
    const found = labelOf(file)
    const label = as === 'Cover' && found === 'Photo' ? as : found
    const state = label ? 'queued' : 'failed'
    return {
      key: crypto.randomUUID(),
      file,
      label,
      replaces,
      values: { folder },
      state,
      sent: 0,
      onDone,
      ...(!label && { error: new Error(t.media.notTaken) }),
    }
  })
  set([...uploads, ...added])
  next()
}

export const pauseUpload = (key: string): void => {
  running.get(key)?.abort()
  change(key, { state: 'paused' })
}
export const resumeUpload = (key: string): void => {
  change(key, { state: 'queued', error: undefined })
  next()
}
export const removeUpload = (key: string): void => {
  running.get(key)?.abort()
  set(uploads.filter((one) => one.key !== key))
}
export const clearUploads = (): void =>
  set(uploads.filter(({ state }) => state !== 'done' && state !== 'failed'))

/** What is half sent would be lost; a video goes on, but only when it is chosen again. */
window.addEventListener('beforeunload', (event) => {
  if (running.size > 0) event.preventDefault()
})

const next = (): void => {
  const waiting = uploads.filter(({ state }) => state === 'queued')
  for (const upload of waiting.slice(0, most - running.size)) run(upload)
}

const run = async (upload: Upload): Promise<void> => {
  const { key, onDone } = upload
  const control = new AbortController()
  running.set(key, control)
  change(key, { state: 'sending' })
  const began = Date.now()
  try {
    const asset = await persist(upload, control.signal)
    const known = !upload.replaces && Date.parse(asset.created_on) < began - 60_000 && isOld(asset)
    change(key, { state: 'done', sent: upload.file.size, asset, known })
    refresh('assets')
    onDone?.(asset)
  } catch (error) {
    if (!control.signal.aborted) change(key, { state: 'failed', error })
  } finally {
    running.delete(key)
    next()
  }
}

/** A long video is begun long before its end; what was there before is finished already. */
const isOld = ({ status }: Asset): boolean => status === 'ready' || status === 'failed'

const persist = async (upload: Upload, signal: AbortSignal): Promise<Asset> => {
  for (let attempt = 0; ; attempt += 1)
    try {
      return await once(upload, signal)
    } catch (error) {
      if (signal.aborted || !isPassing(error)) throw error
      change(upload.key, { state: 'lost', error })
      await patience(attempt, signal)
      change(upload.key, { state: 'sending', error: undefined })
    }
}

const once = ({ key, file, label, replaces, values }: Upload, signal: AbortSignal): Promise<Asset> => {
  const sending = { signal, onSent: (sent: number) => change(key, { sent: Math.min(sent, file.size) }) }
  if (replaces) return sendForm('PUT', `/assets/${replaces}`, { source: file }, sending)
  if (label === 'Video') return sendVideo(file, values, sending)
  return sendForm('POST', '/v5/assets', { ...values, label, source: file }, sending)
}
