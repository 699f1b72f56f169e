import { sql } from 'kysely'
import type { Context } from '../../context.ts'
import { arrivedOn } from '../../storage/incoming.ts'
import { removeAll } from '../../storage/storage.ts'
import { removeUnused } from './bytes.ts'

const batch = 500
const day = 86_400_000

type Owner = { environment_id: string; name: string }

/**
 * Finds files whose asset is not there: who is stopped between storing bytes and the commit, or between the commit and
 * their removal, leaves some.
 */
export const sweepStorage = async (context: Context): Promise<void> => {
  for (const kind of ['originals', 'derivatives', 'cache'])
    for await (const owners of ownersIn(context, `${kind}/`))
      for (const { environment_id, name } of await absent(context, owners, 'assets', 'sha256'))
        await removeUnused(context, { environment_id, sha256: name })
  for await (const owners of ownersIn(context, 'uploads/')) {
    // A first chunk may be there a moment before its upload can be seen.
    const old = owners.filter(({ name }) => arrivedOn(name) < Date.now() - day)
    for (const { environment_id, name } of await absent(context, old, 'asset_uploads', 'asset_id'))
      await removeAll(context.storage, `uploads/${environment_id}/${name}/`)
  }
}

/** The second and third part of keys, each once in a row. */
async function* ownersIn({ storage }: Context, prefix: string): AsyncGenerator<Owner[]> {
  let owners = new Map<string, Owner>()
  for await (const { key } of storage.list(prefix)) {
    const [, environment_id, name] = key.split('/') as [string, string, string]
    owners.set(`${environment_id} ${name}`, { environment_id, name })
    if (owners.size < batch) continue
    yield [...owners.values()]
    owners = new Map()
  }
  yield [...owners.values()]
}

const absent = async (
  { db }: Context,
  owners: Owner[],
  table: 'assets' | 'asset_uploads',
  column: string,
): Promise<Owner[]> => {
  const { rows } = await sql<Owner>`select owner.environment_id, owner.name
    from unnest(${owners.map(({ environment_id }) => environment_id)}::text[],
      ${owners.map(({ name }) => name)}::text[]) as owner (environment_id, name)
    where not exists (select 1 from ${sql.table(table)} known
      where known.environment_id = owner.environment_id and known.${sql.ref(column)} = owner.name)`.execute(
    db,
  )
  return rows
}
