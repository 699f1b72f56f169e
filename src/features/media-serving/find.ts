import type { Context } from '../../context.ts'
import { Forbidden, NotFound } from '../../errors.ts'
import { isSigned, versionOf } from './addresses.ts'
import { keyOf } from './keys.ts'
import type { Picture } from './picture.ts'
import { requireListed } from './plan.ts'
import { type Answer, etagOf } from './send.ts'
import type { Served } from './served.ts'
import type { Transform } from './transform.ts'

type Asked = { transform: Transform; name: string; accept: string | undefined }

/** What an address leads to. Whatever there is no right to read is not there, the same as if it never was. */
export const finder =
  (context: Context, served: (id: string) => Promise<Served | undefined>, picture: Picture) =>
  async (id: string, { transform, name, accept }: Asked): Promise<Answer> => {
    const asset = await served(id)
    if (!asset) throw new NotFound('Asset', id)
    const signed = permit(context, asset, transform)
    const caching = cachingOf(asset, transform)
    if (transform.kind === 'original') return { ...original(asset), caching }
    if (transform.kind === 'file') return { ...derivative(asset, name), caching }
    if (!signed) requireListed(transform.sizes, asset.widths)
    const made = await picture(asset, transform.sizes, accept)
    return { ...made, caching, ...(!transform.sizes.format && { vary: 'Accept' }) }
  }

/** Whether it is signed. A private asset is read by addresses that are, and that end. */
const permit = (context: Context, asset: Served, transform: Transform): boolean => {
  const signed = isSigned(context, asset.id, transform)
  const { expires } = transform
  if (signed && expires !== undefined && expires * 1000 <= Date.now())
    throw new Forbidden('the address has expired', { type: 'AddressExpired' })
  if (asset.private && !(signed && expires !== undefined)) throw new NotFound('Asset', asset.id)
  return signed
}

/** For ever where the address changes with the bytes; shared caches never hold what is private. */
const cachingOf = (asset: Served, { version, expires }: Transform): string => {
  const isCurrent = version === versionOf(asset)
  if (asset.private) {
    const left = Math.floor((expires ?? 0) - Date.now() / 1000)
    return `private, max-age=${isCurrent ? Math.max(0, left) : 0}`
  }
  return isCurrent ? 'public, max-age=31536000, immutable' : 'public, max-age=60'
}

const original = (asset: Served) => ({
  bytes: { key: keyOf(asset), size: asset.size ?? 0 },
  mimeType: asset.mime_type,
  etag: `"${asset.sha256.slice(0, 32)}"`,
  name: asset.original_name,
})

/** Only what the asset lists: a name that somebody sends leads to no other file. */
const derivative = (asset: Served, wanted: string) => {
  const file = asset.derivatives.find(({ name }) => name === wanted)
  if (!file) throw new NotFound('File', wanted)
  return {
    bytes: { key: keyOf(asset, { file: file.name }), size: file.size },
    mimeType: file.mime_type,
    etag: etagOf(`${versionOf(asset)}/${file.name}`),
    name: file.name,
  }
}
