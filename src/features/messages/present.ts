import { presentBase } from '../../http/schemas.ts'
import { embedded, presentPerson } from '../persons/present.ts'
import { presentPersonV5 } from '../persons/present-v5.ts'
import type { AttachmentKind, Message, ShownAttachment } from './table.ts'

export const presentMessage = (message: Message) => ({
  ...presentBase('Message', message),
  body: message.body,
  sent: message.person && {
    ...presentPerson(message.person),
    phones: embedded('Phone', message.person.phones),
  },
})

const attached = ({ attachments }: Message, kind: AttachmentKind): Partial<ShownAttachment> =>
  attachments.find((one) => one.kind === kind) ?? {}

/** A file that was sent is its own source. */
const sourceOf = ({ source_url, original_url }: Partial<ShownAttachment>): string | null =>
  source_url ?? original_url ?? null

export const presentMessageV5 = (message: Message) => {
  const [audio, video] = [attached(message, 'audio'), attached(message, 'video')]
  return {
    ...presentBase(message.label, message),
    nickname: message.nickname,
    body: message.body,
    audio_url: audio.url ?? null,
    video_url: video.url ?? null,
    audio_source_url: sourceOf(audio),
    video_source_url: sourceOf(video),
    photo_url: attached(message, 'photo').url ?? null,
    sent: message.person && presentPersonV5(message.person),
  }
}

const reference = (id: string | null) => (id === null ? null : { id })

export const messageSnapshot = (message: Message) => ({
  ...presentMessageV5(message),
  subject: message.subject,
  email: message.email,
  phone: message.phone,
  on_screen: message.on_screen_on !== null,
  channel: reference(message.channel_id),
  parent: reference(message.parent_id),
  delivery: message.delivery,
})
