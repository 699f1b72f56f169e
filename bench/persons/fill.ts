import { withSession } from '../../src/database/session.ts'
import { dice, makeWords } from '../publications/words.ts'
import type { BenchService } from '../service.ts'

/** The frequent ones first: of a million persons the first name of the list has about one in thirty. */
export const firstNames = makeWords(3000, dice(3))
export const lastNames = makeWords(60_000, dice(4))
export const tagId = (place: number): string => `tag-${place}`
/** Only the oldest hundredth of the persons has it. */
export const oldTag = 'tag-old'
export const publicationId = (place: number): string => `publication-${place}`

const publications = 50_000
const months = 4

/** A place in a list of so many, the first ones often: `share` is a number from 0 to 1 in SQL. */
const often = (share: string, count: number): string => `floor(power(${share}, 3) * ${count})::int`

/** Numbers that look random and are the same each time. */
const rolled = (seed: number, of = 'n'): string =>
  `((hashint8extended(${of}, ${seed}) & 1048575)::float8 / 1048576)`

const begin = `
  set session_replication_role = replica; set synchronous_commit = off;
  set work_mem = '256MB'; set maintenance_work_mem = '512MB';
  create temp table first_names as select name, (place - 1)::int as place from unnest($first$FIRST$first$::text[])
    with ordinality as t (name, place);
  create temp table last_names as select name, (place - 1)::int as place from unnest($last$LAST$last$::text[])
    with ordinality as t (name, place);
  create unique index on first_names (place); create unique index on last_names (place); analyze first_names, last_names`

const persons = (environment: string, rows: number): string => `
  insert into persons (environment_id, id, reference_id, first_name, last_name, gender, date_of_birth, password_hash,
    emails, created_on, version)
  select '${environment}', 'person-' || n, 'ref-' || n, initcap(first.name), initcap(last.name),
    (array['male', 'female', 'female', 'other', null])[1 + floor(${rolled(1)} * 5)::int],
    case when ${rolled(2)} < 0.8 then date '1940-01-01' + floor(${rolled(3)} * 25000)::int end,
    case when ${rolled(4)} < 0.3 then 'none' end,
    jsonb_build_array(jsonb_build_object('id', 'email-' || n, 'created_on', now(), 'changed_on', null, 'verified', true,
      'email', first.name || '.' || last.name || n || '@' ||
        (array['mail.example', 'post.example', 'letters.example'])[1 + n % 3])),
    now() - (${rows} - n) * interval '30 seconds', 1
  from generate_series(1, ${rows}::bigint) as n
  join first_names first on first.place = ${often(rolled(5), firstNames.length)}
  join last_names last on last.place = ${often(rolled(6), lastNames.length)}
  order by n`

const words = `
  insert into person_words (environment_id, word, person_key)
  select distinct environment_id, word, key from persons cross join lateral (values (fold(first_name)),
    (fold(last_name)), (fold(last_name) || substr(id, 8)), (emails -> 0 ->> 'email'),
    (split_part(emails -> 0 ->> 'email', '@', 2))) as held (word) order by 2, 3`

const links = (environment: string, rows: number): string[] => [
  `insert into tags (environment_id, id, body, slug) select '${environment}', 'tag-' || n, 'tag-' || n, 'tag-' || n
    from generate_series(0, 49) n
    union all select '${environment}', '${oldTag}', '${oldTag}', '${oldTag}'`,
  `insert into person_tags (environment_id, person_key, tag_id)
    select distinct environment_id, key, 'tag-' || ${often(rolled(7, 'key * 3 + m'), 50)} from persons, generate_series(1, 2) m
    union all (select environment_id, key, '${oldTag}' from persons order by created_on limit ${Math.ceil(rows / 100)})`,
  `insert into person_terms (environment_id, person_key, term_id)
    select environment_id, key, 'terms-' || key % 3 from persons where key % 10 < 7`,
  `insert into person_emails (environment_id, person_key, email, verified, has_password)
    select environment_id, key, lower(emails -> 0 ->> 'email'), (emails -> 0 -> 'verified')::boolean, password_hash is not null
    from persons`,
]

/** Of this month, what has passed of it. */
const span = (month: number): string =>
  month === 0 ? "(now() - date_trunc('month', now()))" : "interval '27 days'"

const interactions = (environment: string, rows: number, count: number, month: number): string => `
  insert into interactions (environment_id, created_on, id, publication_id, person_key, label)
  select '${environment}', created_on, 'i-' || ${month} || '-' || n,
    'publication-' || ${often(rolled(8 + month * 10), publications)}, person_key,
    (array['View', 'View', 'View', 'View', 'View', 'View', 'View', 'Share', 'Bookmark', 'Purchase'])[1 + n % 10]
  from (select n, (select min(key) from persons) + floor(${rolled(9 + month * 10)} * ${rows})::bigint as person_key,
    least(now(), date_trunc('month', now()) - ${month} * interval '1 month' + ${rolled(10 + month * 10)} * ${span(month)}) as created_on
    from generate_series(1, ${Math.ceil(count / months)}::bigint) n) as made
  order by person_key, created_on`

const facts = `
  insert into person_facts (environment_id, person_key, created_on, last_seen, date_of_birth, gender, labels, has_password)
  select p.environment_id, p.key, p.created_on, i.seen, p.date_of_birth, p.gender, coalesce(i.labels, 0),
    p.password_hash is not null
  from persons p left join (select person_key, max(created_on) as seen, bit_or(1 << (array_position(
      array['View', 'Like', 'Subscribe', 'Bookmark', 'Share', 'Purchase'], label) - 1)) as labels
    from interactions group by person_key) i on i.person_key = p.key`

/** Fills the environment by statements of its own; triggers and foreign keys are left out of it. */
export const fill = async (
  { url, environment }: BenchService,
  rows: number,
  interactionCount: number,
): Promise<void> => {
  const steps = [
    begin.replace('FIRST', `{${firstNames}}`).replace('LAST', `{${lastNames}}`),
    ...Array.from(
      { length: months },
      (_, month) => `select add_interactions_partition((now() - interval '${month} months')::date)`,
    ),
    persons(environment.id, rows),
    words,
    `insert into person_vocabulary (environment_id, word) select distinct environment_id, word from person_words
      where length(word) >= 3 and word !~ '[0-9@]'`,
    ...links(environment.id, rows),
    ...Array.from({ length: months }, (_, month) =>
      interactions(environment.id, rows, interactionCount, month),
    ),
    facts,
    `insert into person_links (environment_id, person_key, kind, publication_id)
      select distinct environment_id, key, 'Like', 'publication-' || ${often(rolled(90, 'key'), 2000)} from persons
      where key % 4 = 0`,
    'vacuum analyze',
  ]
  await withSession(url, async (sql) => {
    for (const step of steps) {
      const from = Date.now()
      await sql.run(step)
      const name = step.trim().split(/\s+/).slice(0, 3).join(' ')
      if (Date.now() - from > 2000) console.log(`  ${name} in ${Math.round((Date.now() - from) / 1000)} s`)
    }
  })
}
