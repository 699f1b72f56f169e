import { sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import type { Context } from '../../../context.ts'
import { applyCorrections, type CorrectionRow } from '../model/corrections.ts'
import type { Model } from '../model/model.ts'
import { modelOf } from '../training/sections.ts'

/** What a node asks the database for news: as often as nobody notices. */
const newsEvery = 2000
/** All models of this process together. */
const mostBytes = 800_000_000

type Held = { generation: string; sequence: string; model: Model; bytes: number; lookedAt: number }

/** Models of environments, loaded by the first who asks and kept up to date beside requests. */
export const modelCache = ({ db, log }: Pick<Context, 'db' | 'log'>) => {
  const held = new LRUCache<string, Held>({
    maxSize: mostBytes,
    sizeCalculation: ({ bytes }) => Math.max(1, bytes),
  })
  const loading = new Map<string, Promise<Held | undefined>>()
  const missing = new LRUCache<string, true>({ max: 10_000, ttl: newsEvery })

  const load = async (environmentId: string): Promise<Held | undefined> => {
    const found = await loadModel(db, environmentId)
    if (found) held.set(environmentId, found)
    else missing.set(environmentId, true)
    return found
  }
  const loadOnce = (environmentId: string): Promise<Held | undefined> => {
    const known =
      loading.get(environmentId) ?? load(environmentId).finally(() => loading.delete(environmentId))
    loading.set(environmentId, known)
    return known
  }
  /** A newer generation takes the place of this one whole; corrections are added to it. */
  const renew = async (environmentId: string, own: Held): Promise<void> => {
    if ((await newestOf(db, environmentId)) !== own.generation) await loadOnce(environmentId)
    else await correct(db, environmentId, own)
  }

  return {
    async of(environmentId: string): Promise<Model | undefined> {
      const own = held.get(environmentId)
      if (!own) return missing.has(environmentId) ? undefined : (await loadOnce(environmentId))?.model
      if (performance.now() - own.lookedAt > newsEvery) {
        own.lookedAt = performance.now()
        renew(environmentId, own).catch((error) => log.error({ err: error }, 'a model was not renewed'))
      }
      return own.model
    },
  }
}
export type Models = ReturnType<typeof modelCache>

const newestOf = async (db: Context['db'], environmentId: string): Promise<string | undefined> => {
  const { rows } = await sql<{ generation: string }>`select generation from recommendation_models
    where environment_id = ${environmentId} order by generation desc limit 1`.execute(db)
  return rows[0]?.generation
}

/** Asked for, an environment is learned even before anybody did anything: by what its publications say. */
const wanted = (db: Context['db'], environmentId: string) =>
  sql`insert into recommendation_learning (environment_id) values (${environmentId}) on conflict do nothing`.execute(
    db,
  )

const loadModel = async (db: Context['db'], environmentId: string): Promise<Held | undefined> => {
  const generation = await newestOf(db, environmentId)
  if (generation === undefined) {
    await wanted(db, environmentId)
    return undefined
  }
  const { rows } = await sql<{ name: string; body: Buffer }>`select name, body from recommendation_sections
    where environment_id = ${environmentId} and generation = ${generation} and name not like 'gram.%'
    order by name, number`.execute(db)
  const parts = Map.groupBy(rows, ({ name }) => name)
  const sections = new Map(
    [...parts].map(([name, list]) => [name, Buffer.concat(list.map(({ body }) => body))]),
  )
  const bytes = rows.reduce((sum, { body }) => sum + body.length, 0)
  const held: Held = {
    generation,
    sequence: '0',
    model: modelOf(sections),
    bytes,
    lookedAt: performance.now(),
  }
  await correct(db, environmentId, held)
  return held
}

const correct = async (db: Context['db'], environmentId: string, held: Held): Promise<void> => {
  const { rows } = await sql<CorrectionRow & { sequence: string }>`select * from recommendation_corrections
    where environment_id = ${environmentId} and generation = ${held.generation} and sequence > ${held.sequence}
    order by sequence limit 5000`.execute(db)
  if (rows.length === 0) return
  applyCorrections(held.model, rows)
  held.sequence = rows.at(-1)!.sequence
}
