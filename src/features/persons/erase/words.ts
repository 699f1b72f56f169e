import { sql } from 'kysely'
import type { Tx } from '../../../database/connect.ts'
import type { Actor } from '../../access/authenticate.ts'
import { eraseAssets } from '../../assets/erase.ts'
import { eraseComments } from '../../comments/erase.ts'
import { eraseMessages } from '../../messages/erase.ts'
import type { Person } from '../table.ts'
import type { Erased } from './receipts.ts'

/** What became of a person's words, and which records nothing is to be told of any more. */
export type Words = Erased & { ids: string[] }

/**
 * Messages, and files that the person sent, were for somebody and go in any case. Comments stand before everybody: they
 * stay with an anonymous person as its interactions do, and name nobody.
 */
export const eraseWords = async (
  tx: Tx,
  actor: Actor,
  person: Person,
  comments: 'go' | 'stay',
): Promise<Words> => {
  const messages = await eraseMessages(tx, actor, person)
  const files = await eraseAssets(tx, actor, person)
  const ids = [...messages, ...files]
  const erased = { messages: messages.length, files: files.length }
  if (comments === 'stay') return { ids, erased, kept: { comments: await count(tx, person) } }
  const gone = await eraseComments(tx, actor, person)
  return { ids: [...ids, ...gone], erased: { ...erased, comments: gone.length }, kept: {} }
}

const count = async (tx: Tx, { environment_id, key }: Person): Promise<number> => {
  const { rows } = await sql<{ count: number }>`select count(*)::integer as count from comments
    where environment_id = ${environment_id} and person_key = ${key}`.execute(tx)
  return rows[0]!.count
}

export const joined = (one: Erased, other: Erased): Erased => ({
  erased: { ...one.erased, ...other.erased },
  kept: { ...one.kept, ...other.kept },
})
