import { sql } from 'kysely'
import type { Context } from '../../context.ts'
import { transaction } from '../../database/transaction.ts'
import { invalid } from '../../errors.ts'
import type { Keys } from '../../secrets.ts'
import type { Actor } from '../access/authenticate.ts'
import { beginImport, dropImport, type Order } from './commands.ts'
import type { FileRow, ImportRow } from './table.ts'

/** Of one transaction. Slow ones are few: a password takes a good part of a tenth of a second to hash. */
const most = { rows: 250, characters: 1_000_000, slow: 20 }
const maxRows = 5_000_000

type Received = { id: string; rows: number }

/** Puts the rows of a file into batches that wait for their turn. What cannot be received whole is forgotten. */
export const receiveRows = async (
  context: Context,
  actor: Actor,
  order: Order,
  rows: AsyncIterable<FileRow>,
  isSlow: (body: Record<string, unknown>) => boolean,
): Promise<Received> => {
  let received: ImportRow | undefined
  let count = 0
  try {
    for await (const { texts, last, size } of batchesOf(rows, isSlow)) {
      received ??= await transaction(context, (tx) => beginImport(tx, actor, order))
      count += size
      if (count > maxRows) throw invalid('', `the file has more than ${maxRows} rows`)
      await sql`insert into import_rows (environment_id, import_id, number, rows)
        values (${actor.environment_id}, ${received.id}, ${last}, ${context.keys.encrypt(texts)})`.execute(
        context.db,
      )
    }
    if (!received) throw invalid('', 'the file holds no rows')
    return { id: received.id, rows: count }
  } catch (error) {
    // What cannot be forgotten now, because the database is gone, goes with the next clean-up.
    if (received) await dropImport(context.db, actor, received.id).catch(() => {})
    throw error
  }
}

type Batch = { texts: string; last: number; size: number }

async function* batchesOf(
  rows: AsyncIterable<FileRow>,
  isSlow: (body: Record<string, unknown>) => boolean,
): AsyncGenerator<Batch> {
  let texts: string[] = []
  let [characters, slow, last] = [0, 0, 0]
  const take = (): Batch => {
    const batch = { texts: `[${texts.join()}]`, last, size: texts.length }
    ;[texts, characters, slow] = [[], 0, 0]
    return batch
  }
  for await (const row of rows) {
    const text = JSON.stringify(row)
    texts.push(text)
    characters += text.length
    if (row.body && isSlow(row.body)) slow += 1
    last = row.number
    if (texts.length >= most.rows || characters >= most.characters || slow >= most.slow) yield take()
  }
  if (texts.length > 0) yield take()
}

export const openBatch = (keys: Keys, sealed: string): FileRow[] => JSON.parse(keys.decrypt(sealed))
