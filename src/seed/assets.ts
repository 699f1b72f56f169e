import type { Context } from '../context.ts'
import type { Tx } from '../database/connect.ts'
import type { Actor } from '../features/access/authenticate.ts'
import { takeFile } from '../features/assets/intake.ts'
import type { AssetLabel } from '../features/assets/table.ts'
import { storeIncoming } from '../storage/incoming.ts'
import { UploadedFile } from '../storage/uploaded.ts'
import { harbour, jingle, page } from './pictures.ts'

type Demo = {
  label: AssetLabel
  name: string
  dutch: string
  folder: string
  tags: string[]
  file: string
  bytes: () => Buffer
}

const photos: [string, string, string][] = [
  ['The sea lock at dawn', 'De zeesluis bij zonsopgang', 'sea-lock-dawn'],
  ['Quay in the morning', 'De kade in de ochtend', 'quay-morning'],
  ['The night ferry leaves', 'De nachtveerboot vertrekt', 'night-ferry'],
  ['Grey day on the old docks', 'Grijze dag op de oude dokken', 'old-docks'],
  ['Warehouses by night', 'Pakhuizen bij nacht', 'warehouses-night'],
  ['Evening over the basin', 'Avond boven het bassin', 'basin-evening'],
  ['Clear water at the pier', 'Helder water bij de pier', 'pier'],
  ['Storm light', 'Stormlicht', 'storm-light'],
]

const picture = ([name, dutch, file]: [string, string, string], index: number): Demo => ({
  label: 'Photo',
  name,
  dutch,
  folder: 'Photos/Harbour',
  tags: ['Harbour'],
  file: `${file}.png`,
  bytes: () => harbour(index + 1, 960, 640),
})

export const demoAssets: Demo[] = [
  ...photos.map(picture),
  {
    label: 'Cover',
    name: 'Night ferry, the series',
    dutch: 'Nachtveer, de serie',
    folder: 'Covers',
    tags: ['Harbour'],
    file: 'night-ferry-cover.png',
    bytes: () => harbour(29, 640, 640),
  },
  {
    label: 'Audio',
    name: 'Jingle of the hour',
    dutch: 'Jingle van het hele uur',
    folder: 'Jingles',
    tags: [],
    file: 'hour.wav',
    bytes: () => jingle([0, 4, 7, 12]),
  },
  {
    label: 'Audio',
    name: 'Jingle of the traffic news',
    dutch: 'Jingle van de verkeersinformatie',
    folder: 'Jingles',
    tags: [],
    file: 'traffic.wav',
    bytes: () => jingle([7, 5, 3, 0, 3]),
  },
  {
    label: 'PDF',
    name: 'Rate card',
    dutch: 'Tarievenkaart',
    folder: 'Documents',
    tags: [],
    file: 'rate-card.pdf',
    bytes: () => page('Harbour FM: rates for advertisers'),
  },
]

const referenceOf = ({ file }: Demo): string => `demo-${file}`

/** Files made on the spot, taken in as the interface takes them. */
export const seedAssets = async (context: Context, tx: Tx, actor: Actor): Promise<number> => {
  const rows = await tx
    .selectFrom('assets')
    .select('reference_id')
    .where('environment_id', '=', actor.environment_id)
    .execute()
  const there = new Set(rows.map(({ reference_id }) => reference_id))
  const missing = demoAssets.filter((asset) => !there.has(referenceOf(asset)))
  for (const asset of missing) await addAsset(context, tx, actor, asset)
  return missing.length
}

const addAsset = async (context: Context, tx: Tx, actor: Actor, asset: Demo): Promise<void> => {
  const { label, name, dutch, folder, tags, file } = asset
  const incoming = await storeIncoming(context.storage, [asset.bytes()] as never)
  const texts = { 'en-US': name, 'nl-NL': dutch }
  await takeFile(context, tx, actor, new UploadedFile({ ...incoming, original_name: file }), {
    label,
    name,
    folder,
    tags,
    author: 'Harbour FM',
    copyright: '© Harbour FM',
    reference_id: referenceOf(asset),
    ...(label === 'Photo' || label === 'Cover' ? { alt: texts, caption: texts } : {}),
  })
}
