import { withSession } from '../../src/database/session.ts'
import type { BenchService } from '../service.ts'

/** Tastes: a person has one, and so has a publication. */
const tastes = 200

/**
 * Persons and what they did in the last 60 days: seven of ten interactions are with publications of their own taste,
 * the others with any; in both the first ones are much more popular than the last.
 */
export const fillAudience = (service: BenchService, persons: number, interactions: number): Promise<void> =>
  withSession(service.url, async (sql) => {
    const { id } = service.environment
    await sql.run('set session_replication_role = replica; set synchronous_commit = off')
    await sql`select add_interactions_partition((now() - make_interval(months => m))::date)
      from generate_series(0, 3) m`
    await sql`insert into persons (environment_id, id, reference_id)
      select ${id}, 'person-' || n, 'reference-' || n from generate_series(1, ${persons}::integer) n`
    await sql.run('create temporary table numbered (number integer primary key, id text not null)')
    await sql`insert into numbered select row_number() over (order by id) - 1, id from publications
      where environment_id = ${id}`
    const [{ count }] = await sql<[{ count: number }]>`select count(*)::integer as count from numbered`
    const each = Math.floor(count / tastes)
    const batch = 1_000_000
    for (let first = 0; first < interactions; first += batch) {
      await sql`
        insert into interactions (environment_id, created_on, id, publication_id, person_key, label)
        select ${id}, now() - random() * interval '60 days', 'i' || n, numbered.id, 1 + person,
          case when random() < 0.05 then 'Like' when random() < 0.05 then 'Share' else 'View' end
        from (
          select n, person, case when random() < 0.7
            then floor(power(random(), 3) * ${each}::integer)::integer * ${tastes}::integer + person % ${tastes}::integer
            else floor(power(random(), 3) * ${count}::integer)::integer end as number
          from (
            select n, floor(power(random(), 2) * ${persons}::integer)::integer as person
            from generate_series(${first}::integer, ${Math.min(first + batch, interactions) - 1}::integer) n
          ) drawn offset 0
        ) chosen join numbered using (number)`
      console.log(`  ${Math.min(first + batch, interactions)} interactions`)
    }
    await sql`insert into publication_counters select environment_id, publication_id, label, count(*)
      from interactions where environment_id = ${id} group by 1, 2, 3`
    await sql.run('vacuum analyze interactions')
    await sql.run('vacuum analyze persons')
  })
