import { sql } from 'kysely'
import type { Context } from '../../../context.ts'

const batch = 200

/** What has been in the trash for 30 days goes for good, with its versions, the notes and the comments on it. */
export const emptyTrash = async ({ db }: Context): Promise<void> => {
  for (let gone = batch; gone === batch; ) {
    // What is being restored at this moment is passed over.
    const { rows } = await sql<{ count: string }>`
      with expired as (
        select environment_id, id from deleted_publications where deleted_on < now() - interval '30 days'
        order by deleted_on limit ${batch} for update skip locked
      ), gone as (
        delete from deleted_publications using expired
        where deleted_publications.environment_id = expired.environment_id and deleted_publications.id = expired.id
        returning expired.environment_id, expired.id
      ), versions as (
        delete from publication_versions using gone
        where publication_versions.environment_id = gone.environment_id
          and publication_versions.publication_id = gone.id
      ), notes as (
        delete from remarks using gone
        where remarks.environment_id = gone.environment_id and remarks.publication_id = gone.id
      ), words as (
        delete from comments using gone
        where comments.environment_id = gone.environment_id and comments.publication_id = gone.id
      )
      select count(*) as count from gone`.execute(db)
    gone = Number(rows[0]!.count)
    // What goes without an event must not stay in remembered totals.
    if (gone > 0) await sql`select pg_notify('marquee', '{"changed":[["*","content"]]}')`.execute(db)
  }
}
