import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Context } from '../../context.ts'
import type { Tx } from '../../database/connect.ts'
import { transaction } from '../../database/transaction.ts'
import { keepLooking, type Looking } from '../../jobs/looking.ts'
import { lockMembers, type Working } from './lock.ts'
import { moveMembers } from './members.ts'
import type { StoredSegment } from './membership.ts'
import { storedCondition } from './rules.ts'
import { seeMembers } from './seen.ts'

const lookEvery = 250
/** Persons that one transaction looks at, and of whom it moves so many. */
const mostPersons = 20_000
const mostMoves = 2000
/** Events that may wait for the dispatcher: those of others are behind them. */
const mostWaiting = 5000
const patience = 2000
/** Milliseconds between transactions, for everybody else. */
const rest = 5

type Pending = { environment_id: string; id: string }

/**
 * Works out the members of segments whose rules were changed, by ranges of persons, a range of each segment in turn.
 * How far it came stands in the row: any node goes on where another stopped.
 */
export const startRebuilding = (context: Context, onError: (error: unknown) => void): Looking =>
  keepLooking(async (isStopped) => {
    for (;;) {
      let failures = 0
      const { rows } = await sql<Pending>`select environment_id, id from segments where status = 'pending'
        order by environment_id, id limit 100`.execute(context.db)
      for (const { environment_id, id } of rows) {
        await waitForRoom(context, isStopped)
        if (isStopped()) return lookEvery
        // One that cannot be worked out now does not stop the others.
        await rebuildSome(context, environment_id, id).catch((error) => {
          failures += 1
          onError(error)
        })
        await pause(rest)
      }
      if (rows.length === failures) return lookEvery
    }
  }, onError)

/** Not for ever: while others write without a pause, there may never be room. */
const waitForRoom = async ({ db }: Context, isStopped: () => boolean): Promise<void> => {
  const end = Date.now() + patience
  while (!isStopped() && Date.now() < end) {
    const { rows } = await sql`select 1 from outbox offset ${mostWaiting} limit 1`.execute(db)
    if (rows.length === 0) return
    await pause(50)
  }
}

/** The next range of persons, or the end. */
export const rebuildSome = (context: Context, environmentId: string, id: string): Promise<void> =>
  transaction(context, async (tx) => {
    const working = await lockMembers(tx, environmentId)
    const { rows } = await sql<Rebuilt>`
      select id, body, rules, last_seen, position from segments
      where environment_id = ${environmentId} and id = ${id} and status = 'pending' for no key update`.execute(
      tx,
    )
    const segment = rows[0]
    if (!segment) return
    // Where the audience has grown since, foreign keys would still be looked up as in the small table that it was.
    await sql`discard plans`.execute(tx)
    const until = await endOfRange(tx, environmentId, segment.position)
    const position = until && (await rebuildRange(tx, working, segment, until))
    await sql`update segments set ${position ? sql`position = ${position}` : sql`position = 0, status = 'ready'`}
      where environment_id = ${environmentId} and id = ${id}`.execute(tx)
  })

const endOfRange = async (tx: Tx, environmentId: string, after: string): Promise<string | null> => {
  const { rows } = await sql<{ until: string | null }>`select max(person_key) as until from (
    select person_key from person_facts where environment_id = ${environmentId} and person_key > ${after}
    order by person_key limit ${mostPersons}) as next`.execute(tx)
  return rows[0]!.until
}

type Rebuilt = StoredSegment & { position: string }
type Change = { key: string; is: boolean; seen: Date | null }

/** Moves whoever is on the wrong side, and gives how far it came. */
const rebuildRange = async (tx: Tx, working: Working, segment: Rebuilt, until: string): Promise<string> => {
  const rows = await changesIn(tx, working, segment, until)
  const keysOf = (is: boolean) =>
    rows.filter((row) => row.is === is).map(({ key }) => ({ segment: segment.id, key }))
  await moveMembers(tx, working, [segment], { added: keysOf(true), removed: keysOf(false) })
  await seeMembers(tx, working.environment.id, [segment], [rows[0]?.seen ?? null])
  return rows.length < mostMoves ? until : rows.at(-1)!.key
}

const changesIn = async (tx: Tx, working: Working, segment: Rebuilt, until: string): Promise<Change[]> => {
  const { id } = working.environment
  const within = (column: string) =>
    sql`${sql.ref(column)} > ${segment.position}::bigint and ${sql.ref(column)} <= ${until}::bigint`
  const matched = sql`select facts.person_key, facts.last_seen as seen, true as fits from person_facts facts
    where facts.environment_id = ${id} and ${within('facts.person_key')}
      and ${storedCondition(working, segment.rules, 'facts')}`
  const { rows } = await sql<Change>`
    with matched as materialized (${matched}), members as materialized (
      select person_key, since from segment_members
      where environment_id = ${id} and segment_id = ${segment.id} and ${within('person_key')})
    select person_key as key, matched.fits is not null as is, (select max(seen) from matched) as seen
    from matched full join members using (person_key) where matched.fits is null or members.since is null
    order by person_key limit ${mostMoves}`.execute(tx)
  return rows
}

/** Who carries a tag that is renamed is not changed itself, and may be everybody. */
export const rebuildByTags = (tx: Tx, environmentId: string): Promise<unknown> =>
  sql`with held as materialized (select id from segments
      where environment_id = ${environmentId} and jsonb_path_exists(rules, '$.**.tags')
      order by id for no key update)
    update segments set status = 'pending', position = 0
    where environment_id = ${environmentId} and id in (select id from held)`.execute(tx)
