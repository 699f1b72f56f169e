-- Saved views of the Studio: a name and the part of an address behind the ?. A shared one has no user.
create table views (
  environment_id text not null references environments,
  id text not null,
  user_id text references users on delete cascade,
  area text not null,
  name text not null,
  query text not null,
  position integer not null,
  created_by text,
  updated_by text,
  version integer not null default 1,
  created_on timestamptz(3) not null default now(),
  changed_on timestamptz(3),
  primary key (environment_id, id)
);
create index views_created_on on views (environment_id, created_on, id);
create index views_changed_on on views (environment_id, changed_on, id);
create index views_name on views (environment_id, name, id);
create index views_position on views (environment_id, position, id);
create index views_user_id on views (user_id) where user_id is not null;
