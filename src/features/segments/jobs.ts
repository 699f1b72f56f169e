import { sql } from 'kysely'
import type { Context } from '../../context.ts'
import { transaction } from '../../database/transaction.ts'
import type { Looking } from '../../jobs/looking.ts'
import { lockMembers } from './lock.ts'
import { startRebuilding } from './rebuild.ts'
import { startSweeping } from './sweep.ts'

const batchSize = 10_000

/** What keeps members true besides the changes of persons: changed rules, and time. */
export const startSegments = (context: Context, onError: (error: unknown) => void): Looking => {
  const loops = [startRebuilding(context, onError), startSweeping(context, onError)]
  return {
    async stop(): Promise<void> {
      await Promise.all(loops.map((loop) => loop.stop()))
    },
  }
}

type Cleared = { environment_id: string; id: string }

/** Members of a segment that was deleted, behind whoever still knew it when it was. */
export const clearSegment = async (context: Context, { environment_id, id }: Cleared): Promise<void> => {
  for (let gone = batchSize; gone === batchSize; )
    gone = await transaction(context, async (tx) => {
      await lockMembers(tx, environment_id)
      const { rows } = await sql<{ count: number }>`
        with gone as (delete from segment_members where environment_id = ${environment_id} and segment_id = ${id}
          and person_key in (select person_key from segment_members
            where environment_id = ${environment_id} and segment_id = ${id} limit ${batchSize}) returning 1)
        select count(*)::integer as count from gone`.execute(tx)
      return rows[0]!.count
    })
}
