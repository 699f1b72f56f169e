import type { Session } from '../../../database/session.ts'
import { interactionLabels } from '../../interactions/labels.ts'
import { facet } from '../../publications/facets.ts'
import type { Documents } from '../model/content.ts'
import { addEvent, type Events, emptyEvents, strengthOf } from '../model/events.ts'
import { copyRows, integerAt, textAt } from './rows.ts'

/** What a publication says is known by its first words; long texts would cost memory and tell little more. */
const mostWords = 80
const weights = { tag: 3, container: 2, model: 1, title: 2, word: 1 }

/** Names the environment to queries that take no parameters, and lets nothing change between them. */
export const begin = async (session: Session, environmentId: string): Promise<void> => {
  await session.run('begin isolation level repeatable read read only')
  await session`select set_config('marquee.environment', ${environmentId}, true)`
}

const own = `environment_id = current_setting('marquee.environment')`

type Catalogue = { ids: string[]; documents: Documents }

/** Publications and their terms. */
export const readPublications = async (session: Session, environmentId: string): Promise<Catalogue> => {
  const tags = await session<{ id: string }[]>`select id from tags where environment_id = ${environmentId}`
  const tagOf = new Map(tags.map(({ id }) => [facet(environmentId, 'tag', id), id]))
  const terms = new Map<string, number>()
  const ids: string[] = []
  const starts: number[] = [0]
  const columns: number[] = []
  const values: number[] = []
  const add = (text: string, weight: number): void => {
    if (!terms.has(text)) terms.set(text, terms.size)
    columns.push(terms.get(text)!)
    values.push(weight)
  }
  await copyRows(session.client, publicationQuery, 6, (row) => {
    ids.push(textAt(row, 0))
    if (row.lengths[1]! > 0) add(`model ${textAt(row, 1)}`, weights.model)
    for (const id of words(textAt(row, 2))) add(`container ${id}`, weights.container)
    for (const value of new Set(words(textAt(row, 3)))) if (tagOf.has(value)) add(`tag ${value}`, weights.tag)
    const title = new Set(words(textAt(row, 4)))
    for (const word of title) add(word, weights.title)
    for (const word of words(textAt(row, 5)).slice(0, mostWords))
      if (!title.has(word)) add(word, weights.word)
    starts.push(columns.length)
  })
  const rows = {
    starts: Int32Array.from(starts),
    columns: Int32Array.from(columns),
    values: Float32Array.from(values),
  }
  return { ids, documents: { rows, terms: terms.size } }
}

const words = (text: string): string[] => (text === '' ? [] : text.split('\n'))

/** Lists as lines: the words of the locales together, and all facets, of which the tags are taken. */
const publicationQuery = `
  select row.id, row.model_id, array_to_string(row.container_ids, E'\\n'),
    coalesce((select string_agg(array_to_string(local.facets, E'\\n'), E'\\n') from publication_locales local
      where local.environment_id = row.environment_id and local.id = row.id), ''),
    coalesce((select string_agg(array_to_string(tsvector_to_array(local.title_search), E'\\n'), E'\\n')
      from publication_locales local
      where local.environment_id = row.environment_id and local.id = row.id and local.title_search <> ''), ''),
    coalesce((select string_agg(array_to_string((tsvector_to_array(local.search))[:${mostWords}], E'\\n'), E'\\n')
      from publication_locales local
      where local.environment_id = row.environment_id and local.id = row.id and local.search <> ''), '')
  from publications row where row.${own} order by row.id`

/** Older ones count next to nothing any more. */
const oldest = '2 years'
const strengths = interactionLabels.map((label) => strengthOf[label] ?? 0)
const labels = interactionLabels.map((label) => `'${label}'`).join()

type History = { events: Events; persons: number; newest: number }

/** All interactions, person by person, with publications by their number. Of what is gone nothing is learned. */
export const readInteractions = async (session: Session, ids: string[]): Promise<History> => {
  const index = new Map(ids.map((id, number) => [id, number]))
  const events = emptyEvents(1 << 16)
  let persons = 0
  let newest = 0
  let last = ''
  await copyRows(session.client, interactionQuery, 4, (row) => {
    const item = index.get(textAt(row, 1))
    const strength = strengths[integerAt(row, 2) - 1] ?? 0
    if (item === undefined || strength === 0) return
    const person = row.buffer.toString('latin1', row.offsets[0]!, row.offsets[0]! + 8)
    if (person !== last) persons++
    last = person
    const time = integerAt(row, 3)
    if (time > newest) newest = time
    addEvent(events, persons - 1, item, strength, time)
  })
  return { events, persons, newest }
}

/** In the order of the primary key, so that a person's stand together. */
const interactionQuery = `
  select person_key, publication_id, array_position(array[${labels}], label), extract(epoch from created_on)::integer
  from interactions where ${own} and created_on > now() - interval '${oldest}' order by person_key`
