import { randomBytes } from 'node:crypto'
import type { Context } from '../context.ts'
import type { Tx } from '../database/connect.ts'
import type { Actor } from '../features/access/authenticate.ts'
import { createToken } from '../features/access/tokens/commands.ts'
import { createUser } from '../features/access/users/commands.ts'
import { createChannel } from '../features/channels/commands.ts'
import { createConfiguration } from '../features/configurations/commands.ts'
import { createContainer } from '../features/containers/commands.ts'
import { createRecommendation } from '../features/recommendations/commands.ts'
import { createSegment } from '../features/segments/commands.ts'
import { createStatus } from '../features/statuses/commands.ts'
import { createTag } from '../features/tags/commands.ts'
import { createView } from '../features/views/commands.ts'
import { demoAssets, seedAssets } from './assets.ts'
import { seedInteractions, seedPersons } from './audience.ts'
import * as demo from './harbour-fm.ts'
import { seedMusic, songCount } from './music.ts'
import { interactionDays, personCount } from './people.ts'
import { seedModels, seedPublications } from './publications.ts'
import { recommendations } from './recommendations.ts'
import { segments } from './segments.ts'
import { seedShows, shows } from './shows.ts'
import { seedSource, sources } from './sources.ts'
import { stories } from './stories.ts'
import { comments, messages, seedComments, seedMessages } from './words.ts'

/** What is told once, at the end. */
export type Secrets = { password?: string; tokens: { name: string; value: string }[] }

type Step = {
  title: string
  /** For the progress bar. */
  size: number
  /** Adds what is missing and gives how many that were. */
  run(tx: Tx, actor: Actor, secrets: Secrets, context: Context): Promise<number>
}

/** Adds those whose key is not there yet, one by one and by the same commands as the interface. */
const addMissing = async <T>(
  wanted: readonly T[],
  keyOf: (item: T) => string,
  existing: Promise<{ key: string | null }[]>,
  add: (item: T) => Promise<unknown>,
): Promise<number> => {
  const there = new Set((await existing).map(({ key }) => key?.toLowerCase()))
  const missing = wanted.filter((item) => !there.has(keyOf(item).toLowerCase()))
  for (const item of missing) await add(item)
  return missing.length
}

type Keyed =
  | 'segments'
  | 'recommendations'
  | 'channels'
  | 'containers'
  | 'tags'
  | 'statuses'
  | 'configurations'
  | 'sources'
  | 'views'

const keys = (
  tx: Tx,
  table: Keyed,
  column: string,
  { environment_id }: Actor,
): Promise<{ key: string | null }[]> =>
  tx
    .selectFrom(table as 'channels')
    .select(`${column} as key` as 'name as key')
    .where('environment_id', '=', environment_id)
    .execute()

/** In this order; each stands on those before it. */
export const steps: Step[] = [
  {
    title: 'channels',
    size: demo.channels.length,
    run: (tx, actor) =>
      addMissing(
        demo.channels,
        ({ slug }) => slug,
        keys(tx, 'channels', 'slug', actor),
        (body) => createChannel(tx, actor, body),
      ),
  },
  {
    title: 'containers',
    size: demo.containers.length,
    run: (tx, actor) =>
      addMissing(
        demo.containers,
        ({ slug }) => slug,
        keys(tx, 'containers', 'slug', actor),
        (body) => createContainer(tx, actor, body),
      ),
  },
  {
    title: 'tags',
    size: demo.tags.length,
    run: (tx, actor) =>
      addMissing(demo.tags, String, keys(tx, 'tags', 'body', actor), (body) =>
        createTag(tx, actor, { body }),
      ),
  },
  {
    title: 'statuses',
    size: demo.statuses.length,
    run: (tx, actor) =>
      addMissing(demo.statuses, String, keys(tx, 'statuses', 'body', actor), (body) =>
        createStatus(tx, actor, { body }),
      ),
  },
  {
    title: 'configurations',
    size: demo.configurations.length,
    run: (tx, actor) =>
      addMissing(
        demo.configurations,
        ({ body }) => body,
        keys(tx, 'configurations', 'body', actor),
        (body) => createConfiguration(tx, actor, body),
      ),
  },
  {
    title: 'sources',
    size: sources.length,
    run: (tx, actor, _secrets, context) =>
      addMissing(
        sources,
        ({ name }) => name,
        keys(tx, 'sources', 'name', actor),
        (source) => seedSource(context, tx, actor, source),
      ),
  },
  {
    title: 'views',
    size: demo.views.length,
    run: (tx, actor) =>
      addMissing(
        demo.views,
        ({ name }) => name,
        keys(tx, 'views', 'name', actor),
        (view) => createView(tx, actor, { ...view, shared: true }),
      ),
  },
  { title: 'users', size: demo.users.length, run: seedUsers },
  { title: 'tokens', size: demo.tokens.length, run: seedTokens },
  { title: 'persons', size: personCount, run: seedPersons },
  {
    title: 'assets',
    size: demoAssets.length,
    run: (tx, actor, _secrets, context) => seedAssets(context, tx, actor),
  },
  { title: 'models', size: 1, run: seedModels },
  {
    title: 'publications',
    size: stories.length,
    run: (tx, actor, _secrets, context) => seedPublications(context, tx, actor),
  },
  {
    title: 'shows',
    size: shows.length,
    run: (tx, actor, _secrets, context) => seedShows(context, tx, actor),
  },
  { title: 'interactions', size: interactionDays * 10, run: seedInteractions },
  {
    title: 'messages',
    size: messages.length,
    run: (tx, actor, _secrets, context) => seedMessages(context, tx, actor),
  },
  { title: 'comments', size: comments.length * 3, run: seedComments },
  {
    title: 'segments',
    size: segments.length,
    run: (tx, actor) =>
      addMissing(
        segments,
        ({ body }) => body,
        keys(tx, 'segments', 'body', actor),
        (body) => createSegment(tx, actor, body),
      ),
  },
  {
    title: 'recommendations',
    size: recommendations.length,
    run: (tx, actor) =>
      addMissing(
        recommendations,
        ({ name }) => name,
        keys(tx, 'recommendations', 'name', actor),
        (body) => createRecommendation(tx, actor, body),
      ),
  },
  { title: 'tracks', size: songCount, run: seedMusic },
]

/** One password for all of them; it is made up, told once and worth nothing elsewhere. */
async function seedUsers(tx: Tx, actor: Actor, secrets: Secrets): Promise<number> {
  const password = randomBytes(9).toString('base64url')
  const made = await addMissing(
    demo.users,
    ({ email }) => email,
    tx.selectFrom('users').select('email as key').execute(),
    (user) => createUser(tx, actor, { ...user, password }),
  )
  if (made > 0) secrets.password = password
  return made
}

async function seedTokens(tx: Tx, actor: Actor, secrets: Secrets): Promise<number> {
  const existing = tx
    .selectFrom('tokens')
    .select('name as key')
    .where('environment_id', '=', actor.environment_id)
    .execute()
  return addMissing(
    demo.tokens,
    ({ name }) => name,
    existing,
    async (token) => {
      const { value } = await createToken(tx, actor, { kind: 'environment', ...token })
      secrets.tokens.push({ name: token.name, value })
    },
  )
}
