import type { Session } from '../../../database/session.ts'
import { easeSolver } from '../model/ease.ts'
import type { Gram } from '../model/gram.ts'
import { neighbours } from '../model/train.ts'
import { freshRow } from './fresh.ts'
import { likeness } from './likeness.ts'
import { gramOfSections } from './sections.ts'
import { loadSections } from './store.ts'

/** Publications that are learned anew at a time; those that changed most in proportion come first. */
const most = 300

type Model = { generation: string; lambda: number; content_on: Date }

/**
 * Learns publications anew that persons came to, or that were written, since all was learned. Their companions are
 * counted afresh; how those go together among themselves is taken from the last time.
 */
export const correct = async (session: Session, environmentId: string): Promise<number> => {
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
  const touched = await take(session, environmentId, model.content_on)
  for (const { id } of touched) {
    if (!known.has(id)) known.set(id, ids.push(id) - 1)
    const fresh = await freshRow(session, environmentId, id, known)
    const learned = learn(gram, model.lambda, known.get(id)!, fresh.companions)
    const like = await likeness(session, environmentId, id)
    const speaking = learned.neighbours.map((number) => ids[number]!)
    await session`
      insert into recommendation_corrections (environment_id, generation, publication_id, sequence, neighbours,
        weights, content, likeness, support, popularity)
      values (${environmentId}, ${model.generation}, ${id}, nextval('recommendation_correction_numbers'),
        ${speaking}::text[], ${learned.weights}::real[], ${like.map((one) => one.id)}::text[],
        ${like.map((one) => one.likeness)}::real[], ${fresh.support}, ${fresh.popularity}::real)
      on conflict (environment_id, generation, publication_id) do update set sequence = excluded.sequence,
        neighbours = excluded.neighbours, weights = excluded.weights, content = excluded.content,
        likeness = excluded.likeness, support = excluded.support, popularity = excluded.popularity`
  }
  return touched.length
}

/** Taken off the list before they are learned: what comes meanwhile is on it again. */
const take = async (session: Session, environmentId: string, contentOn: Date): Promise<{ id: string }[]> => {
  const touched = await session<{ id: string }[]>`
    with next as (
      select touched.publication_id, touched.times::float / greatest(1, coalesce(sum(counter.count), 1)) as part
      from recommendation_touched touched
      left join publication_counters counter using (environment_id, publication_id)
      where touched.environment_id = ${environmentId}
      group by touched.publication_id, touched.times order by part desc limit ${most}
    )
    delete from recommendation_touched touched using next
    where touched.environment_id = ${environmentId} and touched.publication_id = next.publication_id
      and exists (select 1 from publications where environment_id = ${environmentId} and id = next.publication_id)
    returning touched.publication_id as id`
  const written = await session<{ id: string; changed: Date }[]>`
    select id, greatest(created_on, changed_on) as changed from publications
    where environment_id = ${environmentId} and (created_on > ${contentOn} or changed_on > ${contentOn})
    order by changed limit ${most}`
  if (written.length > 0)
    await session`update recommendation_learning set content_on = ${written.at(-1)!.changed}
      where environment_id = ${environmentId}`
  return [...new Set([...touched, ...written].map(({ id }) => id))].map((id) => ({ id }))
}

/** Companions that were never learned have no say yet. */
const learn = (gram: Gram, lambda: number, item: number, companions: Map<number, number>) => {
  const own = [...companions].filter(([number]) => number !== item && (gram.diagonal[number] ?? 0) > 0)
  const { neighbours: found, weights } = easeSolver(gram, { neighbours, lambda })({
    columns: Int32Array.from(own, ([number]) => number),
    values: Float32Array.from(own, ([, value]) => value),
  })
  return { neighbours: [...found], weights: [...weights] }
}
