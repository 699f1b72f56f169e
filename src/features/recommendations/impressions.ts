import { sql } from 'kysely'
import type { Context } from '../../context.ts'

export type Impression = {
  environmentId: string
  recommendationId: string
  variant: string
  personKey: string | null
  publications: string[]
  propensities: number[]
  on: Date
}

const every = 500
const most = 2000
/** While the database is away, what was shown is forgotten rather than kept without bound. */
const bound = 50_000

/** Answers as they were given, appended in groups: whoever asks does not wait for it. */
export const impressionLog = ({ db, log }: Pick<Context, 'db' | 'log'>) => {
  let waiting: Impression[] = []
  let timer: NodeJS.Timeout | undefined
  let writing: Promise<void> = Promise.resolve()

  const flush = (): Promise<void> => {
    clearTimeout(timer)
    timer = undefined
    const group = waiting
    waiting = []
    if (group.length > 0)
      writing = writing
        .then(() => append(db, group))
        .catch((error) => log.error({ err: error }, 'impressions were not written'))
    return writing
  }
  return {
    add(impression: Impression): void {
      if (waiting.length >= bound) return
      waiting.push(impression)
      if (waiting.length >= most) flush()
      else timer ??= setTimeout(flush, every).unref()
    },
    flush,
  }
}
export type ImpressionLog = ReturnType<typeof impressionLog>

/** Of persons that are gone meanwhile nothing is kept. */
const append = async (db: Context['db'], group: Impression[]): Promise<void> => {
  await sql`
    insert into recommendation_impressions
      (environment_id, recommendation_id, variant, person_key, publications, propensities, created_on)
    select shown.* from jsonb_to_recordset(${JSON.stringify(group.map(rowOf))}::text::jsonb) as shown
      (environment_id text, recommendation_id text, variant text, person_key bigint, publications text[],
        propensities real[], created_on timestamptz)
    where person_key is null or exists (select 1 from persons
      where persons.environment_id = shown.environment_id and persons.key = shown.person_key)`.execute(db)
}

const rowOf = (shown: Impression) => ({
  environment_id: shown.environmentId,
  recommendation_id: shown.recommendationId,
  variant: shown.variant,
  person_key: shown.personKey,
  publications: shown.publications,
  propensities: shown.propensities,
  created_on: shown.on,
})
