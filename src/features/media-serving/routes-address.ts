import { isoDateOrNull } from '../../dates.ts'
import { invalid, NotFound } from '../../errors.ts'
import { IdParams } from '../../http/schemas.ts'
import type { Routes } from '../../http/types.ts'
import type { Storage } from '../../storage/storage.ts'
import { findAsset } from '../assets/queries.ts'
import type { AssetRow } from '../assets/table.ts'
import { goodFor, mediaUrl, type Wanted } from './addresses.ts'
import { keyOf } from './keys.ts'
import { Address, AddressQuery } from './schema.ts'
import { parseTransform } from './transform.ts'

/** Signed addresses: of any size, and of private assets for as long as is wanted. */
export const addressRoutes: Routes = (app, context) => {
  app.get(
    '/assets/:id/address',
    {
      config: { scopes: ['assets'] },
      schema: {
        summary: 'Sign an address of a file of an Asset',
        params: IdParams,
        querystring: AddressQuery,
        response: { 200: Address },
      },
    },
    async ({ actor, params, query }) => {
      const { transform, file, direct } = query
      const asset = await findAsset(context.db, actor.environment_id, params.id)
      const wanted = wantedOf(asset, transform, file)
      const seconds = query.seconds === undefined ? undefined : Number(query.seconds)
      if (direct === 'true' && context.storage.presign && !('sizes' in wanted))
        return ofStore(context.storage.presign, asset, wanted, seconds)
      const url = mediaUrl(context, asset, wanted, { signed: true, ...(seconds && { seconds }) })
      return { url, expires_on: isoDateOrNull(expiryOf(url)) }
    },
  )
}

const wantedOf = (asset: AssetRow, transform: string | undefined, file: string | undefined): Wanted => {
  if (asset.sha256 === null) throw new NotFound('File', asset.id)
  if (file !== undefined && transform !== undefined)
    throw invalid('transform', 'is not for a file by its name')
  if (file === undefined) {
    const { kind, sizes, ...rest } = parseTransform(transform ?? 'original')
    if (rest.version ?? rest.expires ?? rest.signature)
      throw invalid('transform', 'must be `original` or sizes')
    return kind === 'original' ? { original: true } : { sizes }
  }
  if (!asset.derivatives.some(({ name }) => name === file)) throw new NotFound('File', file)
  return { file }
}

/** The most that stores sign for. */
const week = 604_800

/** Past this service, for programs that fetch large files and can reach the store. */
const ofStore = async (
  presign: NonNullable<Storage['presign']>,
  asset: AssetRow,
  wanted: Exclude<Wanted, { sizes: unknown }>,
  seconds = goodFor,
) => {
  const good = Math.min(seconds, week)
  const url = await presign(keyOf(asset, wanted), good)
  return { url, expires_on: isoDateOrNull(new Date(Date.now() + good * 1000)) }
}

const expiryOf = (url: string): Date | null => {
  const [, seconds] = /,e_(\d+),/.exec(url) ?? []
  return seconds === undefined ? null : new Date(Number(seconds) * 1000)
}
