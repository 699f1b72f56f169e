create table channels (
  environment_id text not null references environments,
  id text not null,
  name text not null,
  slug text not null,
  type text,
  share_construct_url text,
  preview_construct_url text,
  streams jsonb not null default '[]',
  created_by text,
  updated_by text,
  version integer not null default 1,
  created_on timestamptz(3) not null default now(),
  changed_on timestamptz(3),
  primary key (environment_id, id),
  constraint channels_slug_unique unique (environment_id, slug)
);
create index channels_created_on on channels (environment_id, created_on, id);
create index channels_changed_on on channels (environment_id, changed_on, id);
create index channels_name on channels (environment_id, name, id);
create index channels_name_search on channels using gin (fold(name) gin_trgm_ops);

create table containers (
  environment_id text not null references environments,
  id text not null,
  body text not null,
  slug text not null,
  description text,
  created_by text,
  updated_by text,
  version integer not null default 1,
  created_on timestamptz(3) not null default now(),
  changed_on timestamptz(3),
  primary key (environment_id, id),
  constraint containers_slug_unique unique (environment_id, slug)
);
create index containers_created_on on containers (environment_id, created_on, id);
create index containers_changed_on on containers (environment_id, changed_on, id);
create index containers_body on containers (environment_id, body, id);
create index containers_body_search on containers using gin (fold(body) gin_trgm_ops);

create table statuses (
  environment_id text not null references environments,
  id text not null,
  body text not null,
  built_in boolean not null default false,
  created_by text,
  updated_by text,
  version integer not null default 1,
  created_on timestamptz(3) not null default now(),
  changed_on timestamptz(3),
  primary key (environment_id, id)
);
create unique index statuses_body_unique on statuses (environment_id, lower(body));
create index statuses_created_on on statuses (environment_id, created_on, id);
create index statuses_changed_on on statuses (environment_id, changed_on, id);
create index statuses_body on statuses (environment_id, body, id);
create index statuses_body_search on statuses using gin (fold(body) gin_trgm_ops);

create table tags (
  environment_id text not null references environments,
  id text not null,
  body text not null,
  slug text not null,
  created_by text,
  updated_by text,
  version integer not null default 1,
  created_on timestamptz(3) not null default now(),
  changed_on timestamptz(3),
  primary key (environment_id, id),
  constraint tags_slug_unique unique (environment_id, slug)
);
create unique index tags_body_unique on tags (environment_id, lower(body));
create index tags_created_on on tags (environment_id, created_on, id);
create index tags_changed_on on tags (environment_id, changed_on, id);
create index tags_body on tags (environment_id, body, id);
create index tags_body_search on tags using gin (fold(body) gin_trgm_ops);

create table configurations (
  environment_id text not null references environments,
  id text not null,
  body text not null,
  settings jsonb,
  created_by text,
  updated_by text,
  version integer not null default 1,
  created_on timestamptz(3) not null default now(),
  changed_on timestamptz(3),
  primary key (environment_id, id),
  constraint configurations_body_unique unique (environment_id, body)
);
create index configurations_created_on on configurations (environment_id, created_on, id);
create index configurations_changed_on on configurations (environment_id, changed_on, id);
create index configurations_body_search on configurations using gin (fold(body) gin_trgm_ops);
