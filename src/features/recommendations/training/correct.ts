import type { Session } from '../../../database/session.ts'
import { easeSolver } from '../model/ease.ts'
import type { Gram } from '../model/gram.ts'
import { neighbours } from '../model/train.ts'
import { freshRow } from './fresh.ts'
import { likeness } from './likeness.ts'
import { gramOfSections } from './sections.ts'
import { loadSections, seenUntil } from './store.ts'

/**
 * Publications that are learned anew at a time, and milliseconds that it may take; those that changed most in
 * proportion come first, and the others in the next round.
 */
const most = 1000
const longest = 30_000

type Model = { generation: string; lambda: number; content_on: Date }

/**
 * Learns publications anew that persons came to, or that were written, since all was learned. Their companions are
 * counted afresh; how those go together among themselves is taken from the last time.
 */
export const correct = async (session: Session, environmentId: string, atMost = most): Promise<number> => {
  const [model] = await session<Model[]>`
    select generation, lambda, content_on from recommendation_models
    join recommendation_learning using (environment_id)
    where environment_id = ${environmentId} order by generation desc limit 1`
  if (!model) return 0
  const sections = await loadSections(session, environmentId, model.generation, ['ids', 'gram', 'support'])
  const text = sections.get('ids')!.toString()
  const ids = text === '' ? [] : text.split('\n')
  const gram = gramOfSections(sections)
  const known = new Map(ids.map((id, number) => [id, number]))
  await enlist(session, environmentId, model.content_on)
  const touched = await next(session, environmentId, atMost)
  const until = performance.now() + longest
  let done = 0
  for (const { id, times } of touched) {
    if (performance.now() > until) break
    if (!known.has(id)) known.set(id, ids.push(id) - 1)
    const fresh = await freshRow(session, environmentId, id, known)
    const learned = learn(gram, model.lambda, known.get(id)!, fresh.companions)
    const like = await likeness(session, environmentId, id)
    const speaking = learned.neighbours.map((number) => ids[number]!)
    await session`
      with learned as (
        delete from recommendation_touched
        where environment_id = ${environmentId} and publication_id = ${id} and times = ${times}
      )
      insert into recommendation_corrections (environment_id, generation, publication_id, sequence, neighbours,
        weights, content, likeness, support, popularity)
      values (${environmentId}, ${model.generation}, ${id}, nextval('recommendation_correction_numbers'),
        ${speaking}::text[], ${learned.weights}::real[], ${like.map((one) => one.id)}::text[],
        ${like.map((one) => one.likeness)}::real[], ${fresh.support}, ${fresh.popularity}::real)
      on conflict (environment_id, generation, publication_id) do update set sequence = excluded.sequence,
        neighbours = excluded.neighbours, weights = excluded.weights, content = excluded.content,
        likeness = excluded.likeness, support = excluded.support, popularity = excluded.popularity`
    done++
  }
  return done
}

/** What was written since the last look joins what persons came to, however much it is; what is gone leaves. */
const enlist = async (session: Session, environmentId: string, contentOn: Date): Promise<void> => {
  const until = await seenUntil(session)
  await session`
    with written as (
      select id from publications where environment_id = ${environmentId} and created_on > ${contentOn}
      union select id from publications where environment_id = ${environmentId} and changed_on > ${contentOn}
    ), enlisted as (
      insert into recommendation_touched as known (environment_id, publication_id, times)
      select ${environmentId}, id, 1 from written order by id
      on conflict (environment_id, publication_id) do update set times = known.times + 1
    )
    update recommendation_learning set content_on = greatest(content_on, ${until}::timestamptz)
    where environment_id = ${environmentId}`
  await session`delete from recommendation_touched touched where environment_id = ${environmentId}
    and not exists (select 1 from publications
      where environment_id = touched.environment_id and id = touched.publication_id)`
}

type Touched = { id: string; times: number }

/** They leave the list once they are learned, unless somebody came to them meanwhile. */
const next = (session: Session, environmentId: string, atMost: number): Promise<Touched[]> =>
  session<Touched[]>`
    select touched.publication_id as id, touched.times from recommendation_touched touched
    left join publication_counters counter using (environment_id, publication_id)
    where touched.environment_id = ${environmentId} group by touched.publication_id, touched.times
    order by touched.times::float / greatest(1, coalesce(sum(counter.count), 1)) desc, touched.publication_id
    limit ${atMost}`

/** Companions that were never learned have no say yet. */
const learn = (gram: Gram, lambda: number, item: number, companions: Map<number, number>) => {
  const own = [...companions].filter(([number]) => number !== item && (gram.diagonal[number] ?? 0) > 0)
  const { neighbours: found, weights } = easeSolver(gram, { neighbours, lambda })({
    columns: Int32Array.from(own, ([number]) => number),
    values: Float32Array.from(own, ([, value]) => value),
  })
  return { neighbours: [...found], weights: [...weights] }
}
