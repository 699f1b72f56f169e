import { isoDateOrNull } from '../../dates.ts'
import { invalid, NotFound } from '../../errors.ts'
import { IdParams } from '../../http/schemas.ts'
import type { Routes } from '../../http/types.ts'
import { findAsset } from '../assets/queries.ts'
import type { AssetRow } from '../assets/table.ts'
import { mediaUrl, type Wanted } from './addresses.ts'
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
      const { transform, file, seconds } = query
      const asset = await findAsset(context.db, actor.environment_id, params.id)
      const wanted = wantedOf(asset, transform, file)
      const url = mediaUrl(context, asset, wanted, {
        signed: true,
        ...(seconds !== undefined && { seconds: Number(seconds) }),
      })
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

const expiryOf = (url: string): Date | null => {
  const [, seconds] = /,e_(\d+),/.exec(url) ?? []
  return seconds === undefined ? null : new Date(Number(seconds) * 1000)
}
