-- Files: what is known of their bytes, how far their processing is, and what people say about them.
alter table assets
  -- What was made before this has no bytes; whatever is uploaded says its own status.
  add column status text not null default 'ready' check (status in ('uploading', 'processing', 'ready', 'failed')),
  add column failure text,
  add column progress real check (progress between 0 and 1),
  -- Until when a node that processes it need not be doubted, and how often it was begun.
  add column claimed_until timestamptz(3),
  add column attempts smallint not null default 0,
  add column sha256 text check (sha256 ~ '^[0-9a-f]{64}$'),
  add column size integer,
  add column mime_type text,
  add column original_name text,
  add column width integer,
  add column height integer,
  add column duration double precision,
  add column details jsonb not null default '{}',
  add column derivatives jsonb not null default '[]',
  add column alt jsonb not null default '{}',
  add column caption jsonb not null default '{}',
  add column copyright text,
  add column focal_x real check (focal_x between 0 and 1),
  add column focal_y real check (focal_y between 0 and 1),
  add column folder text,
  add column private boolean not null default false,
  add column deleted_on timestamptz(3),
  add column deleted_by text,
  -- Somebody of the audience sent it, as a picture or with a message: it is erased with that person.
  add column person_key bigint,
  -- Both names at once, so that one index finds either.
  add column names text generated always as (coalesce(name, '') || ' ' || coalesce(original_name, '')) stored,
  add constraint assets_have_bytes check (status in ('uploading', 'ready') or sha256 is not null);

-- Identical bytes are one asset of their environment; the trash may hold any number of earlier ones.
create unique index assets_sha256_unique on assets (environment_id, sha256) where deleted_on is null;
create index assets_sha256 on assets (environment_id, sha256);
create index assets_changed_on on assets (environment_id, changed_on, id);
create index assets_name on assets (environment_id, name, id);
create index assets_label on assets (environment_id, label, created_on, id);
create index assets_folder on assets (environment_id, folder, created_on, id) where folder is not null;
create index assets_reference_id on assets (environment_id, reference_id) where reference_id is not null;
create index assets_person on assets (environment_id, person_key) where person_key is not null;
create index assets_deleted_on on assets (environment_id, deleted_on, id) where deleted_on is not null;
create index assets_expired on assets (deleted_on) where deleted_on is not null;
create index assets_unfinished on assets (status, created_on) where status in ('uploading', 'processing');
drop index assets_name_search;
create index assets_names_search on assets using gin (fold(names) gin_trgm_ops);

create table asset_tags (
  environment_id text not null,
  asset_id text not null,
  tag_id text not null,
  primary key (environment_id, asset_id, tag_id),
  foreign key (environment_id, asset_id) references assets on delete cascade,
  foreign key (environment_id, tag_id) references tags on delete cascade
);
create index asset_tags_tag on asset_tags (environment_id, tag_id, asset_id);

-- Uploads in chunks. `same_as` is the earlier asset with identical bytes, found at the end: the new one is then gone,
-- and a repeated end still has its answer.
create table asset_uploads (
  environment_id text not null references environments,
  asset_id text not null,
  file_size integer,
  received integer not null default 0,
  same_as text,
  touched_on timestamptz(3) not null default now(),
  primary key (environment_id, asset_id)
);
create index asset_uploads_touched_on on asset_uploads (touched_on);

create table asset_chunks (
  environment_id text not null,
  asset_id text not null,
  start_offset integer not null,
  size integer not null,
  sha256 text not null,
  primary key (environment_id, asset_id, start_offset),
  foreign key (environment_id, asset_id) references asset_uploads on delete cascade
);

-- Whose picture an asset is.
create index persons_picture_id on persons (environment_id, picture_id) where picture_id is not null;
