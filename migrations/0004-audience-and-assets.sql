-- The ground that later parts extend: other records may already refer to persons, assets and interactions.
create table persons (
  environment_id text not null references environments,
  key bigint generated always as identity,
  id text not null,
  reference_id text,
  first_name text,
  last_name text,
  last_seen timestamptz(3),
  created_by text,
  updated_by text,
  version integer not null default 1,
  created_on timestamptz(3) not null default now(),
  changed_on timestamptz(3),
  primary key (environment_id, key),
  constraint persons_id_unique unique (environment_id, id),
  constraint persons_reference_id_unique unique (environment_id, reference_id)
);
create index persons_created_on on persons (environment_id, created_on, id);

create table person_tags (
  environment_id text not null,
  person_key bigint not null,
  tag_id text not null,
  primary key (environment_id, person_key, tag_id),
  foreign key (environment_id, person_key) references persons on delete cascade,
  foreign key (environment_id, tag_id) references tags on delete cascade
);
create index person_tags_tag on person_tags (environment_id, tag_id, person_key);

create table assets (
  environment_id text not null references environments,
  id text not null,
  label text not null check (label in ('Photo', 'Video', 'Audio', 'Cover', 'PDF')),
  name text,
  body text,
  author text,
  reference_id text,
  created_by text,
  updated_by text,
  version integer not null default 1,
  created_on timestamptz(3) not null default now(),
  changed_on timestamptz(3),
  primary key (environment_id, id)
);
create index assets_created_on on assets (environment_id, created_on, id);

create table interactions (
  environment_id text not null,
  created_on timestamptz(3) not null,
  id text not null,
  publication_id text not null,
  person_key bigint not null,
  label text not null,
  value double precision,
  primary key (environment_id, created_on, id),
  foreign key (environment_id, person_key) references persons on delete cascade
) partition by range (created_on);
create index interactions_publication on interactions (environment_id, publication_id, label, created_on);
create index interactions_person on interactions (environment_id, person_key, created_on);
create table interactions_other partition of interactions default;

-- One partition a month; a job calls this ahead of time.
create function add_interactions_partition(month date) returns void language plpgsql as $$
declare
  first date := date_trunc('month', month);
begin
  execute format(
    'create table if not exists %I partition of interactions for values from (%L) to (%L)',
    'interactions_' || to_char(first, 'YYYY_MM'), first, (first + interval '1 month')::date);
end $$;
select add_interactions_partition((now() + make_interval(months => m))::date) from generate_series(-1, 3) m;
