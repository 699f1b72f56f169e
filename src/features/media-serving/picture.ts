import type { Context } from '../../context.ts'
import { NotFound } from '../../errors.ts'
import { Refused } from '../../media/orders.ts'
import { withLocalFile } from '../../storage/local-file.ts'
import { keyOf } from './keys.ts'
import { fileOf, type Plan, planOf } from './plan.ts'
import { type Answer, etagOf } from './send.ts'
import type { Served } from './served.ts'
import type { pictureShelf } from './shelf.ts'
import type { Sizes } from './transform.ts'

export type Picture = (
  asset: Served,
  sizes: Sizes,
  accept: string | undefined,
) => Promise<Omit<Answer, 'caching'>>

/** A picture of the asset to measure: of itself, or of what stands for it, such as the first page of a document. */
export const pictureMaker =
  (context: Context, shelf: ReturnType<typeof pictureShelf>): Picture =>
  async (asset, sizes, accept) => {
    const source = sourceOf(asset)
    if (!source || asset.status === 'failed') throw new NotFound('Picture', asset.id)
    const plan = planOf(asset, source, sizes, accept)
    const key = `cache/${asset.environment_id}/${asset.sha256}/${fileOf(plan)}`
    const bytes = await shelf(asset.environment_id, key, () => make(context, source.key, plan))
    return { bytes, mimeType: `image/${plan.format}`, etag: etagOf(key), name: nameOf(asset, plan) }
  }

const make = ({ storage, media }: Context, key: string, { focal, width, height, ...plan }: Plan) =>
  withLocalFile(storage, key, (path) =>
    media.resize(path, {
      ...plan,
      ...(width && { width }),
      ...(height && { height }),
      ...(focal && { focal }),
    }),
  ).catch((error) => {
    if (error instanceof Refused) throw new NotFound('Picture', key)
    throw error
  })

const sourceOf = (asset: Served) => {
  const { mime_type, details } = asset
  if (mime_type?.startsWith('image/'))
    return {
      key: keyOf(asset),
      width: asset.width ?? undefined,
      height: asset.height ?? undefined,
      opaque: details.transparent !== true,
    }
  const still = asset.derivatives.find((file) => file.mime_type.startsWith('image/'))
  return (
    still && {
      key: keyOf(asset, { file: still.name }),
      width: still.width,
      height: still.height,
      opaque: true,
    }
  )
}

const nameOf = ({ original_name }: Served, { format }: Plan): string =>
  `${(original_name ?? 'picture').replace(/\.\w{1,5}$/, '')}.${format === 'jpeg' ? 'jpg' : format}`
