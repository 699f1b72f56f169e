import { type RawBuilder, sql } from 'kysely'
import type { Context } from '../../../context.ts'

type Learner = {
  waiting: Map<string, Set<string>>
  writing: Promise<void> | undefined
}

/** One per database. */
const learners = new WeakMap<Context['db'], Learner>()

const delay = 100
const perStatement = 5000

const learnerOf = (db: Context['db']): Learner => {
  const made = learners.get(db) ?? { waiting: new Map(), writing: undefined }
  learners.set(db, made)
  return made
}

/** Words in which typing errors are mended: numbers and whole addresses are not. */
const isLearnable = (word: string): boolean => word.length >= 3 && word.length <= 66 && !/[0-9@]/.test(word)

/**
 * Adds words to what searches are mended by, beside the request that wrote them: in its transaction two writers would
 * wait for each other's words.
 */
export const learnPersonWords = (
  { db, log }: Pick<Context, 'db' | 'log'>,
  environmentId: string,
  words: string[],
): Promise<void> => {
  const learner = learnerOf(db)
  const waiting = learner.waiting.get(environmentId) ?? new Set()
  for (const word of words.filter(isLearnable)) waiting.add(word)
  if (waiting.size > 0) learner.waiting.set(environmentId, waiting)
  if (learner.waiting.size === 0) return learner.writing ?? Promise.resolve()
  learner.writing ??= new Promise<void>((resolve) => setTimeout(resolve, delay).unref())
    .then(() => {
      learner.writing = undefined
      return writeDown(db, learner.waiting)
    })
    .catch((error) => log.error({ err: error }, 'words of persons could not be learned'))
  return learner.writing
}

const writeDown = async (db: Context['db'], waiting: Learner['waiting']): Promise<void> => {
  const taken = [...waiting]
  waiting.clear()
  for (const [environmentId, words] of taken)
    for (let from = 0, list = [...words]; from < list.length; from += perStatement)
      await addWords(db, environmentId, list.slice(from, from + perStatement))
}

/**
 * Only what somebody has at that moment. Who has it is locked, so that nobody can be erased between the look and the
 * commit and leave a word behind.
 */
const addWords = async (db: Context['db'], environmentId: string, words: string[]): Promise<void> => {
  await sql`insert into person_vocabulary (environment_id, word)
    select ${environmentId}, held.word from unnest(${words}::text[]) as sent (word)
    cross join lateral (select word from person_words where environment_id = ${environmentId}
      and word = sent.word collate "C" limit 1 for key share) as held
    order by held.word
    on conflict do nothing`.execute(db)
}

/** What was lost by a kill, or taken away while somebody else began to have it, comes back; what nobody has goes. */
export const relearnPersonWords = async ({ db }: Pick<Context, 'db'>): Promise<void> => {
  const environments = await db.selectFrom('environments').select('id').execute()
  for (const { id } of environments) {
    await byRanges(
      (after) => nextWords(db, id, 'person_words', after),
      (words) => addWords(db, id, words.filter(isLearnable)),
    )
    await byRanges(
      (after) => nextWords(db, id, 'person_vocabulary', after),
      (words) => forgetUnused(db, id, words),
    )
  }
}

const byRanges = async (
  next: (after: string) => Promise<string[]>,
  work: (words: string[]) => Promise<unknown>,
): Promise<void> => {
  for (let words = await next(''); words.length > 0; words = await next(words.at(-1)!)) await work(words)
}

/** From word to word by the index, however many have each of them. */
const nextWords = async (
  db: Context['db'],
  environmentId: string,
  table: 'person_words' | 'person_vocabulary',
  after: string,
): Promise<string[]> => {
  const next = (behind: RawBuilder<unknown>) => sql`(select word from ${sql.table(table)}
    where environment_id = ${environmentId} and word > ${behind} order by word limit 1)`
  const { rows } = await sql<{ word: string }>`
    with recursive words as (
      select ${next(sql`${after}`)} as word
      union all select ${next(sql`words.word`)} from words where words.word is not null
    )
    select word from words where word is not null limit ${perStatement}`.execute(db)
  return rows.map(({ word }) => word)
}

const forgetUnused = (db: Context['db'], environmentId: string, words: string[]): Promise<unknown> =>
  sql`delete from person_vocabulary as known where environment_id = ${environmentId} and word = any(${words}::text[])
    and not exists (select 1 from person_words where environment_id = ${environmentId} and word = known.word)`.execute(
    db,
  )
