import { sql } from 'kysely'
import type { Db, Tx } from '../../database/connect.ts'

/** As numbers are compared: digits alone, without an extension and the zeros that stand for a plus. */
export const foldPhone = (phone: string): string =>
  phone
    .replace(/(x|ext).*$/i, '')
    .replaceAll(/\D/g, '')
    .replace(/^00/, '')

/** Shorter ones are a service's, or a misunderstanding; nobody is known by them. */
export const isTelling = (folded: string): boolean => folded.length >= 5

/** Whom a number means: of several who have it the one that was there first. */
export const keyByPhone = async (
  db: Db | Tx,
  environmentId: string,
  phone: string,
): Promise<string | undefined> => {
  const folded = foldPhone(phone)
  if (!isTelling(folded)) return undefined
  const { rows } = await sql<{ person_key: string }>`select person_key from person_phones
    where environment_id = ${environmentId} and phone = ${folded} order by person_key limit 1`.execute(db)
  return rows[0]?.person_key
}
