import type { Context } from '../context.ts'
import type { Tx } from '../database/connect.ts'
import type { Actor } from '../features/access/authenticate.ts'
import { createModel } from '../features/models/commands.ts'
import { createPublication } from '../features/publications/commands/commands.ts'
import { type Story, stories } from './stories.ts'

const article = {
  body: 'Article',
  description: 'A story for the website, the app and the newsletter',
  fields: [
    { api_id: 'title', label: 'Text', title: 'Title', required: true, validations: { max_length: 120 } },
    { api_id: 'summary', label: 'Text', title: 'Summary' },
    { api_id: 'body', label: 'Text', title: 'Body' },
    { api_id: 'minutes', label: 'Integer', title: 'Minutes', localized: false },
    { api_id: 'tags', label: 'TagBox', title: 'Tags', localized: false },
    { api_id: 'related', label: 'Publication', title: 'Related', localized: false },
    { api_id: 'cover', label: 'Asset', title: 'Cover', localized: false },
  ],
}

/** The model, unless there is one of that name. */
export const seedModels = async (tx: Tx, actor: Actor): Promise<number> => {
  if (await findModel(tx, actor)) return 0
  await createModel(tx, actor, article as never)
  return 1
}

const findModel = (tx: Tx, { environment_id }: Actor) =>
  tx
    .selectFrom('publication_models')
    .select(['id', 'fields'])
    .where('environment_id', '=', environment_id)
    .where('body', '=', article.body)
    .executeTakeFirst()

/** Photos, where the model has a place for one. */
const findCovers = async (
  tx: Tx,
  { environment_id }: Actor,
  fields: { api_id: string }[],
): Promise<string[]> => {
  if (!fields.some(({ api_id }) => api_id === 'cover')) return []
  const rows = await tx
    .selectFrom('assets')
    .select('id')
    .where('environment_id', '=', environment_id)
    .where('label', '=', 'Photo')
    .where('reference_id', 'like', 'demo-%')
    .where('deleted_on', 'is', null)
    .orderBy('reference_id')
    .execute()
  return rows.map(({ id }) => id)
}

/** Written one after the other, by the same command as the interface: later ones refer to earlier ones. */
export const seedPublications = async (context: Context, tx: Tx, actor: Actor): Promise<number> => {
  const model = (await findModel(tx, actor))!
  const covers = await findCovers(tx, actor, model.fields)
  const there = await idsOf(tx, 'publications', 'id', actor)
  const places = {
    channels: await idsOf(tx, 'channels', 'slug', actor),
    containers: await idsOf(tx, 'containers', 'body', actor),
  }
  const missing = stories.filter(({ id }) => !there.has(id))
  for (const story of missing)
    await createPublication(context, tx, actor, bodyOf(story, model.id, places, covers, actor), {
      id: story.id,
    })
  return missing.length
}

type Ids = Map<string, string>

const idsOf = async (
  tx: Tx,
  table: 'publications' | 'channels' | 'containers',
  column: string,
  actor: Actor,
): Promise<Ids> => {
  const rows = await tx
    .selectFrom(table as 'containers')
    .select(['id', `${column} as key` as 'slug as key'])
    .where('environment_id', '=', actor.environment_id)
    .execute()
  return new Map(rows.map(({ key, id }) => [key, id]))
}

const day = 86_400_000

const bodyOf = (
  story: Story,
  model: string,
  places: { channels: Ids; containers: Ids },
  covers: string[],
  { environment }: Actor,
) => {
  const locales = (['en-US', 'nl-NL'] as const).filter((locale) => story.title[locale] !== null)
  const each = <T>(value: (locale: 'en-US' | 'nl-NL') => T) =>
    Object.fromEntries(locales.map((locale) => [locale, value(locale)]))
  const publishOn = Math.floor((environment.created_on.getTime() - story.daysAgo * day) / 1000)
  const before = Number(story.id.split('-').at(-1)) - 1
  return {
    label: 'Publication',
    model: { id: model },
    locales,
    channels: story.channels.flatMap((slug) => places.channels.get(slug) ?? []).map((id) => ({ id })),
    containers: [places.containers.get(story.container)].flatMap((id) => (id ? [{ id }] : [])),
    status: each((locale) => ({ body: story.status[locale] })),
    publish_on: each(() => publishOn),
    items: each((locale) => ({
      title: { label: 'Text', body: story.title[locale], format: 'H1' },
      summary: { label: 'Text', body: story.summary[locale], format: 'H2' },
      body: { label: 'Text', body: `<p>${story.title[locale]}. ${story.summary[locale]}</p>`, format: null },
      minutes: { label: 'Integer', value: story.minutes },
      tags: { label: 'TagBox', items: story.tags.map((body) => ({ body })) },
      ...(covers.length > 0 && {
        cover: { label: 'Asset', items: [{ id: covers[before % covers.length]! }] },
      }),
      ...(before % 5 !== 0 && {
        related: { label: 'Publication', items: [{ id: `demo-publication-${before}` }] },
      }),
    })),
  }
}
