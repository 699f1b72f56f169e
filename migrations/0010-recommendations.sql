-- What is recommended, how, and what came of it.
create table recommendations (
  environment_id text not null references environments,
  id text not null,
  name text not null,
  type text not null check (type in ('more_like_this', 'recommended_for_you', 'dummy')),
  filter jsonb not null default '{}',
  weights jsonb not null default '{}',
  kpi_label text,
  exploration real not null,
  diversity integer not null,
  control_share real not null,
  exclude_seen boolean not null,
  created_by text,
  updated_by text,
  version integer not null default 1,
  created_on timestamptz(3) not null default now(),
  changed_on timestamptz(3),
  primary key (environment_id, id)
);
create index recommendations_created_on on recommendations (environment_id, created_on, id);
create index recommendations_changed_on on recommendations (environment_id, changed_on, id);
create index recommendations_name on recommendations (environment_id, name, id);

-- Of configured and of built-in ones: since when one that lost to the dummy gives way to it.
create table recommendation_fallbacks (
  environment_id text not null references environments,
  recommendation_id text not null,
  since timestamptz(3) not null default now(),
  lift real not null,
  primary key (environment_id, recommendation_id)
);

-- What was learned, whole: the newest generation is the one that counts. Numbers of a section lie one after the other.
create table recommendation_models (
  environment_id text not null references environments,
  generation bigint not null,
  publications integer not null,
  interactions bigint not null,
  persons integer not null,
  lambda real not null,
  seconds real not null,
  created_on timestamptz(3) not null default now(),
  primary key (environment_id, generation)
);
create table recommendation_sections (
  environment_id text not null,
  generation bigint not null,
  name text not null,
  number integer not null,
  body bytea not null,
  primary key (environment_id, generation, name, number),
  foreign key (environment_id, generation) references recommendation_models on delete cascade
);
alter table recommendation_sections alter column body set storage external;

-- Publications learned anew since, each whole. `sequence` lets a node ask for what it has not heard of.
create table recommendation_corrections (
  environment_id text not null,
  generation bigint not null,
  publication_id text not null,
  sequence bigint not null,
  neighbours text[] not null,
  weights real[] not null,
  content text[] not null,
  likeness real[] not null,
  support integer not null,
  popularity real not null,
  primary key (environment_id, generation, publication_id),
  foreign key (environment_id, generation) references recommendation_models on delete cascade
);
create index recommendation_corrections_sequence on recommendation_corrections (environment_id, generation, sequence);
create sequence recommendation_correction_numbers;

-- Publications that persons came to since they were last learned. Written by the folder of interactions.
create table recommendation_touched (
  environment_id text not null,
  publication_id text not null,
  times integer not null,
  primary key (environment_id, publication_id)
) with (fillfactor = 80);
create table recommendation_learning (
  environment_id text not null references environments,
  -- Up to when changed publications have been looked at, and when anything was last learned or tried.
  content_on timestamptz(3) not null default '-infinity',
  tried_on timestamptz(3) not null default '-infinity',
  -- Interactions since.
  pending bigint not null default 0,
  -- How often learning everything was begun since it last ended well, and when.
  attempts integer not null default 0,
  attempted_on timestamptz(3) not null default '-infinity',
  primary key (environment_id)
);

-- One row per answer. Propensities: with which chance each publication stood where it did.
create table recommendation_impressions (
  environment_id text not null,
  id bigint generated always as identity,
  recommendation_id text not null,
  variant text not null,
  person_key bigint,
  publications text[] not null,
  propensities real[] not null,
  created_on timestamptz(3) not null default now(),
  primary key (environment_id, recommendation_id, created_on, id)
);
create index recommendation_impressions_person on recommendation_impressions (environment_id, person_key, created_on)
  where person_key is not null;
create index recommendation_impressions_old on recommendation_impressions using brin (created_on);
create index interactions_recommendation on interactions (environment_id, recommendation_id, created_on)
  where recommendation_id is not null;
