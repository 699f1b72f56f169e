-- Interactions as fast as they come: no foreign key is looked up per row, and two indexes serve every read. The primary
-- key is how a person's interactions are walked; the other is who did what with a publication.
do $$
declare
  key text;
begin
  select conname into key from pg_constraint where conrelid = 'interactions'::regclass and contype = 'f';
  execute format('alter table interactions drop constraint %I', key);
end $$;
drop index interactions_person, interactions_publication;
alter table interactions
  drop constraint interactions_pkey,
  add primary key (environment_id, person_key, created_on, id),
  add column recommendation_id text;
create index interactions_publication on interactions (environment_id, publication_id, label, person_key);

-- Ids that callers gave, for as long as a repeat is expected. Those of one commit share their moment, so the second
-- index is small, and grows at its end only.
create table interaction_ids (
  environment_id text not null,
  id text not null,
  seen_on timestamptz(3) not null default now(),
  primary key (environment_id, id)
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.2);
create index interaction_ids_seen_on on interaction_ids (seen_on);

-- How often each label was recorded. Written by one process at a time, so that nobody waits for the row of a publication
-- that everybody looks at.
create table publication_counters (
  environment_id text not null,
  publication_id text not null,
  label text not null,
  count bigint not null,
  primary key (environment_id, publication_id, label)
) with (fillfactor = 70);
create index publication_counters_order on publication_counters (environment_id, label, count, publication_id);

insert into publication_counters (environment_id, publication_id, label, count)
select environment_id, publication_id, label, count(*) from interactions group by 1, 2, 3;

update person_facts fact set labels = coalesce(known.labels, 0), last_seen = known.last_seen
from (
  select environment_id, person_key, max(created_on) as last_seen, bit_or(1 << (array_position(array['View', 'Like',
    'Subscribe', 'Bookmark', 'Share', 'Purchase', 'Opened', 'Commented', 'Search', 'Cancellation', 'Clickthrough',
    'Dislike', 'Remarked', 'Sale', 'Vote', 'Win', 'Called', 'Emailed'], label) - 1)) as labels
  from interactions group by 1, 2
) known
where fact.environment_id = known.environment_id and fact.person_key = known.person_key;

-- Rows of the month that came before its partition stand in the default one; they move, or the month could never get
-- a partition.
create or replace function add_interactions_partition(month date) returns void language plpgsql as $$
declare
  first date := date_trunc('month', month);
  next date := first + interval '1 month';
  name text := 'interactions_' || to_char(first, 'YYYY_MM');
begin
  if to_regclass(name) is not null then
    return;
  end if;
  lock table interactions_other in access exclusive mode;
  execute format('create table %I (like interactions including defaults)', name);
  execute format('with moved as (delete from interactions_other where created_on >= %L and created_on < %L returning *)
    insert into %I select * from moved', first, next, name);
  execute format('alter table interactions attach partition %I for values from (%L) to (%L)', name, first, next);
end $$;
