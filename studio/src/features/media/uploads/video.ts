import { ApiError } from 'marquee-sdk'
import { api } from '../../../api/client.ts'
import type { Asset } from '../files.ts'
import { forget, remember, remembered } from './remembered.ts'
import { type Sending, sendForm } from './send.ts'

/** Small enough that little is sent twice over a poor line. */
const chunkSize = 8_388_608

/** In chunks, from where the service has it: also after the page, the browser or the network was gone. */
export const sendVideo = async (
  file: File,
  values: Record<string, string | undefined>,
  sending: Sending,
): Promise<Asset> => {
  const upload = (await begun(file)) ?? (await begin(file, values, sending))
  const path = `/v5/assets/${upload.id}/multipart`
  let offset = upload.start_offset ?? 0
  while (upload.status === 'uploading' && offset < file.size) {
    sending.onSent(offset)
    const chunk = {
      upload_phase: 'transfer',
      start_offset: offset,
      video_file_chunk: file.slice(offset, offset + chunkSize),
    }
    const base = offset
    const answer = await sendForm('POST', path, chunk, {
      ...sending,
      onSent: (sent) => sending.onSent(Math.min(base + sent, file.size)),
    })
    offset = answer.start_offset ?? offset + chunkSize
  }
  const asset = await sendForm('POST', path, { upload_phase: 'finish' }, { ...sending, onSent: () => {} })
  forget(file)
  return asset
}

const begin = async (
  file: File,
  values: Record<string, string | undefined>,
  sending: Sending,
): Promise<Asset> => {
  const sent = { ...values, label: 'Video', upload_phase: 'start', file_size: file.size }
  const asset = await sendForm(
    'POST',
    '/v5/assets',
    { ...sent, original_name: file.name },
    { ...sending, onSent: () => {} },
  )
  remember(file, asset.id)
  return asset
}

/** The upload of this very file that was begun here before, unless it is gone. */
const begun = async (file: File): Promise<Asset | undefined> => {
  const id = remembered(file)
  if (!id) return undefined
  try {
    return await api.get('/assets/{id}/multipart', { path: { id } })
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 404) throw error
    forget(file)
    return undefined
  }
}
