import { sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import type { Context } from '../../../context.ts'
import { json } from '../../../database/json.ts'
import { piecesOf } from './words.ts'

type Learner = {
  /** Words that are in the vocabulary, or were an hour ago, by environment. */
  known: LRUCache<string, true>
  waiting: Map<string, Set<string>>
  writing: Promise<void> | undefined
}

/** One per database: whatever this process has written down need not be written again. */
const learners = new WeakMap<Context['db'], Learner>()

const delay = 300
const perStatement = 5000

const learnerOf = (db: Context['db']): Learner => {
  const known = learners.get(db)
  if (known) return known
  const made: Learner = {
    known: new LRUCache({ max: 200_000, ttl: 3_600_000 }),
    waiting: new Map(),
    writing: undefined,
  }
  learners.set(db, made)
  return made
}

/**
 * Adds the words of texts to what searches are mended by, beside the request that wrote them: never in its transaction,
 * because two writers would wait for each other's words. What a kill loses the nightly rebuilding brings back.
 */
export const learnWords = (
  { db, log }: Pick<Context, 'db' | 'log'>,
  environmentId: string,
  texts: string[],
): Promise<void> => {
  const learner = learnerOf(db)
  for (const word of new Set(texts.flatMap(learnable))) {
    const key = `${environmentId} ${word}`
    if (learner.known.has(key)) continue
    learner.known.set(key, true)
    const waiting = learner.waiting.get(environmentId) ?? new Set()
    learner.waiting.set(environmentId, waiting.add(word))
  }
  if (learner.waiting.size === 0) return learner.writing ?? Promise.resolve()
  learner.writing ??= new Promise<void>((resolve) => setTimeout(resolve, delay).unref())
    .then(() => {
      learner.writing = undefined
      return writeDown(db, learner)
    })
    .catch((error) => log.error({ err: error }, 'words could not be learned'))
  return learner.writing
}

/** Words that somebody may begin to type or mistype: not numbers, and not scripts that are searched by pairs. */
export const learnable = (text: string): string[] =>
  piecesOf(text).flatMap((piece) => {
    const word = piece.text.toLowerCase()
    return piece.unparted || word.length < 3 || !/\p{L}/u.test(word) ? [] : [word]
  })

const writeDown = async (db: Context['db'], { known, waiting }: Learner): Promise<void> => {
  const taken = [...waiting]
  waiting.clear()
  for (const [environmentId, words] of taken) {
    try {
      await addWords(db, environmentId, [...words])
    } catch (error) {
      for (const word of words) known.delete(`${environmentId} ${word}`)
      throw error
    }
  }
}

/** In order, so that two who add the same words do not wait for each other in a circle. */
export const addWords = async (db: Context['db'], environmentId: string, words: string[]): Promise<void> => {
  for (let from = 0; from < words.length; from += perStatement)
    await sql`insert into vocabulary (environment_id, word)
      select distinct ${environmentId}, fold(word) as word
      from jsonb_array_elements_text(${json(words.slice(from, from + perStatement))}) as word order by word
      on conflict (environment_id, word) do update set seen_on = current_date
        where vocabulary.seen_on < current_date`.execute(db)
}
