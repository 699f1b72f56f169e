-- Artists and tracks: what they are called, when they are published, and what providers know of them.
create table artists (
  environment_id text not null references environments,
  id text not null,
  body text not null,
  status text not null check (status in ('published', 'pending', 'approval', 'draft', 'unpublished')),
  published_on timestamptz(0) not null,
  unpublish_on timestamptz(0),
  reference_unique text,
  custom text[] not null default '{}',
  cover_id text,
  musicdbartists jsonb not null default '[]',
  created_by text,
  updated_by text,
  version integer not null default 1,
  created_on timestamptz(3) not null default now(),
  changed_on timestamptz(3),
  primary key (environment_id, id),
  constraint artists_reference_unique_unique unique (environment_id, reference_unique)
);
create index artists_created_on on artists (environment_id, created_on, id);
create index artists_changed_on on artists (environment_id, changed_on, id);
create index artists_published_on on artists (environment_id, published_on, id);
create index artists_body on artists (environment_id, body, id);
create index artists_name on artists (environment_id, fold(body));
create index artists_status on artists (environment_id, status, created_on, id);
create index artists_body_search on artists using gin (fold(body) gin_trgm_ops);
create index artists_cover_id on artists (environment_id, cover_id) where cover_id is not null;
-- When what is published comes and goes.
create index artists_shown_from on artists (environment_id, published_on) where status = 'published';
create index artists_shown_until on artists (environment_id, unpublish_on)
  where status = 'published' and unpublish_on is not null;
create index artists_ending on artists (unpublish_on) where status = 'published' and unpublish_on is not null;

create table tracks (
  environment_id text not null references environments,
  id text not null,
  body text not null,
  artist_text text not null default '',
  status text not null check (status in ('published', 'pending', 'approval', 'draft', 'unpublished')),
  published_on timestamptz(0) not null,
  unpublish_on timestamptz(0),
  reference_unique text,
  custom text[] not null default '{}',
  cover_id text,
  musicdbtracks jsonb not null default '[]',
  streamtracks jsonb not null default '[]',
  storetracks jsonb not null default '[]',
  -- Title and performer at once, so that one index finds either.
  search text generated always as (body || ' ' || artist_text) stored,
  created_by text,
  updated_by text,
  version integer not null default 1,
  created_on timestamptz(3) not null default now(),
  changed_on timestamptz(3),
  primary key (environment_id, id),
  constraint tracks_reference_unique_unique unique (environment_id, reference_unique)
);
create index tracks_created_on on tracks (environment_id, created_on, id);
create index tracks_changed_on on tracks (environment_id, changed_on, id);
create index tracks_published_on on tracks (environment_id, published_on, id);
create index tracks_body on tracks (environment_id, body, id);
create index tracks_artist_text on tracks (environment_id, artist_text, id);
create index tracks_status on tracks (environment_id, status, created_on, id);
create index tracks_search on tracks using gin (fold(search) gin_trgm_ops);
create index tracks_cover_id on tracks (environment_id, cover_id) where cover_id is not null;
create index tracks_shown_from on tracks (environment_id, published_on) where status = 'published';
create index tracks_shown_until on tracks (environment_id, unpublish_on)
  where status = 'published' and unpublish_on is not null;
create index tracks_ending on tracks (unpublish_on) where status = 'published' and unpublish_on is not null;

create table artist_tracks (
  environment_id text not null,
  artist_id text not null,
  track_id text not null,
  -- Among the artists of the track.
  place integer not null default 0,
  primary key (environment_id, track_id, artist_id),
  foreign key (environment_id, artist_id) references artists on delete cascade,
  foreign key (environment_id, track_id) references tracks on delete cascade
);
create index artist_tracks_artist on artist_tracks (environment_id, artist_id, track_id);

create table artist_tags (
  environment_id text not null,
  artist_id text not null,
  tag_id text not null,
  primary key (environment_id, artist_id, tag_id),
  foreign key (environment_id, artist_id) references artists on delete cascade,
  foreign key (environment_id, tag_id) references tags on delete cascade
);
create index artist_tags_tag on artist_tags (environment_id, tag_id, artist_id);

create table track_tags (
  environment_id text not null,
  track_id text not null,
  tag_id text not null,
  primary key (environment_id, track_id, tag_id),
  foreign key (environment_id, track_id) references tracks on delete cascade,
  foreign key (environment_id, tag_id) references tags on delete cascade
);
create index track_tags_tag on track_tags (environment_id, tag_id, track_id);

-- What providers call a recording; several tracks may share one, although they are then the same.
create table track_isrcs (
  environment_id text not null,
  track_id text not null,
  isrc text not null,
  primary key (environment_id, isrc, track_id),
  foreign key (environment_id, track_id) references tracks on delete cascade
);
create index track_isrcs_track on track_isrcs (environment_id, track_id);

-- A reference without its case and punctuation: `NL-12.3` and `nl123` are most likely the same.
create function bare_reference(reference text) returns text
  language sql immutable strict parallel safe
  return nullif(regexp_replace(fold(reference), '[^[:alnum:]]+', '', 'g'), '');
create index artists_bare_reference on artists (environment_id, bare_reference(reference_unique));
create index tracks_bare_reference on tracks (environment_id, bare_reference(reference_unique));

-- References of what was merged, so that the next import finds what it was merged into.
create table artist_references (
  environment_id text not null,
  reference text not null,
  artist_id text not null,
  primary key (environment_id, reference),
  foreign key (environment_id, artist_id) references artists on delete cascade
);
create index artist_references_artist on artist_references (environment_id, artist_id);

create table track_references (
  environment_id text not null,
  reference text not null,
  track_id text not null,
  primary key (environment_id, reference),
  foreign key (environment_id, track_id) references tracks on delete cascade
);
create index track_references_track on track_references (environment_id, track_id);

-- What is on air when. Moments are stored; days, and how clocks show them, are told by the environment's time zone.
create table timelines (
  environment_id text not null references environments,
  id text not null,
  body text not null,
  channel_id text,
  track_id text,
  published_on timestamptz(0) not null,
  unpublish_on timestamptz(0) not null,
  created_by text,
  updated_by text,
  version integer not null default 1,
  created_on timestamptz(3) not null default now(),
  changed_on timestamptz(3),
  primary key (environment_id, id),
  foreign key (environment_id, channel_id) references channels on delete set null (channel_id),
  foreign key (environment_id, track_id) references tracks on delete set null (track_id),
  -- So that what is on air now is found among those that began within a day.
  constraint timelines_length check (unpublish_on > published_on and unpublish_on <= published_on + interval '24 hours')
);
create index timelines_published_on on timelines (environment_id, published_on, id) include (unpublish_on);
create index timelines_channel on timelines (environment_id, channel_id, published_on, id) include (unpublish_on);
create index timelines_track on timelines (environment_id, track_id, published_on);

-- Rows come in the order of time, so this says for each megabyte which times it holds, and costs next to nothing.
create index interactions_created_on on interactions using brin (created_on);

-- One way to import, whatever the rows are about.
alter table person_imports rename to imports;
alter table person_import_rows rename to import_rows;
alter table person_import_errors rename to import_errors;
alter table person_import_names rename to import_names;
alter table imports
  add column kind text not null default 'persons',
  drop constraint person_imports_match_by_check;
alter table imports alter column kind drop default;
alter index person_imports_created_on rename to imports_created_on;
alter index person_imports_changed_on rename to imports_changed_on;
alter index person_imports_open rename to imports_open;
alter index person_import_errors_number rename to import_errors_number;
drop index imports_created_on, imports_changed_on;
create index imports_created_on on imports (environment_id, kind, created_on, id);
create index imports_changed_on on imports (environment_id, kind, changed_on, id);

-- Covers that an import named by their addresses, until they are fetched.
create table waiting_covers (
  environment_id text not null references environments,
  kind text not null check (kind in ('artists', 'tracks')),
  record_id text not null,
  url text not null,
  attempts integer not null default 0,
  next_on timestamptz(3) not null default now(),
  primary key (environment_id, kind, record_id)
);
create index waiting_covers_next_on on waiting_covers (next_on);
