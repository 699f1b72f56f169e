import { sql } from 'kysely'
import type { Tx } from '../../database/connect.ts'
import type { Keys } from '../../secrets.ts'
import type { ImportRow } from './table.ts'

/** Names of those whom earlier rows of a dry run would have made; kept as hashes, because nobody has to read them. */
export const seenNames = async (
  tx: Tx,
  keys: Keys,
  { environment_id, id }: ImportRow,
  names: string[],
): Promise<Set<string>> => {
  const byHash = new Map(names.map((name) => [hashOf(keys, id, name), name]))
  const { rows } = await sql<{ hash: string }>`select hash from import_names
    where environment_id = ${environment_id} and import_id = ${id} and hash = any(${[...byHash.keys()]})`.execute(
    tx,
  )
  return new Set(rows.map(({ hash }) => byHash.get(hash)!))
}

export const noteNames = async (
  tx: Tx,
  keys: Keys,
  { environment_id, id }: ImportRow,
  names: string[],
): Promise<void> => {
  if (names.length === 0) return
  await sql`insert into import_names (environment_id, import_id, hash)
    select ${environment_id}, ${id}, unnest(${names.map((name) => hashOf(keys, id, name))}::text[])
    on conflict do nothing`.execute(tx)
}

const hashOf = (keys: Keys, id: string, name: string): string => keys.sign('import-name', `${id} ${name}`)
