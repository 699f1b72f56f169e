import { sql } from 'kysely'
import type { Context } from '../../../context.ts'
import { keepLooking, type Looking } from '../../../jobs/looking.ts'
import type { Order } from './process.ts'
import { learnApart, stopLearning } from './run.ts'
import { learningLock } from './store.ts'

const every = 5000
/** Between corrections of one environment; with the time they take, a touched publication waits less than a minute. */
const corrected = 20
/** Everything is learned anew when so much has come, or when a day is over. */
const grown = 0.05
/** At most one part in so many of one core goes into learning everything. */
const patience = 30
const soonest = 15

type Due = { environment_id: string; kind: Order['kind'] }

/** One environment at a time, on whichever node is first; learning itself goes on in a process of its own. */
export const startLearning = (context: Context, url: string, onError: (error: unknown) => void): Looking => {
  const looking = keepLooking(async (isStopped) => {
    for (let due = await claim(context); due && !isStopped(); due = await claim(context)) {
      const { result, peak } = await learnApart({ url, environmentId: due.environment_id, kind: due.kind })
      context.log.debug({ environment: due.environment_id, kind: due.kind, result, peak }, 'learned')
    }
    return every
  }, onError)
  return {
    stop(): Promise<void> {
      stopLearning()
      return looking.stop()
    },
  }
}

/**
 * Whoever gets the row does the work; the moment it is tried keeps others from it, and from trying too often. What was
 * pending stays so until it is learned, so that learning everything is begun again after it was broken off: later each
 * time, and not while somebody is still at it.
 */
const claim = async ({ db }: Pick<Context, 'db'>): Promise<Due | undefined> => {
  const { rows } = await sql<Due>`
    with state as (
      select learning.*, model.generation, model.interactions, model.created_on as learned_on, model.seconds,
        attempted_on < now() - make_interval(secs => least(3600, ${corrected}::float8 * (2 ^ least(attempts, 10))))
          and (hashtext(learning.environment_id)::bigint & 4294967295) not in (
            select objid::bigint from pg_locks where locktype = 'advisory' and classid = ${learningLock}::integer::oid
          ) as free
      from recommendation_learning learning left join lateral (
        select * from recommendation_models model
        where model.environment_id = learning.environment_id order by generation desc limit 1) model on true
    ), due as (
      select environment_id, case
          when free and (generation is null
            or (learned_on < now() - make_interval(secs => ${patience}::float8 * seconds + ${soonest}::float8)
              and (pending > ${grown}::float8 * interactions or (pending > 0 and learned_on < now() - interval '1 day'))))
          then 'all' else 'touched' end as kind
      from state where tried_on < now() - make_interval(secs => ${corrected}::float8) and (
        (generation is null and free) or (generation is not null and (pending > 0
        or exists (select 1 from recommendation_touched touched where touched.environment_id = state.environment_id)
        or exists (select 1 from publications written where written.environment_id = state.environment_id
          and (written.created_on > content_on or written.changed_on > content_on)))))
      order by tried_on limit 1
    )
    update recommendation_learning learning set tried_on = now(),
      attempts = case when kind = 'all' then attempts + 1 else attempts end,
      attempted_on = case when kind = 'all' then now() else attempted_on end
    from due where learning.environment_id = due.environment_id
      and learning.tried_on < now() - make_interval(secs => ${corrected}::float8)
    returning learning.environment_id, kind`.execute(db)
  return rows[0]
}
