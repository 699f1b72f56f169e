-- Pictures that were made on request: what may be removed again, the longest unused first.
create table media_cache (
  environment_id text not null references environments,
  key text not null,
  size integer not null default 0,
  used_on timestamptz(3) not null default now(),
  primary key (environment_id, key)
);
create index media_cache_used_on on media_cache (environment_id, used_on);

-- Whoever reads a file has no token, so the asset is found before its environment.
create index assets_id on assets (id);

-- Channels whose stream is recorded; until when the node that does it need not be doubted.
alter table channels
  add column record boolean not null default false,
  add column recorder_until timestamptz(3);
create index channels_record on channels (environment_id, id) where record;

-- Sound of a channel, without gaps from its first sample to its last.
create table recordings (
  environment_id text not null,
  channel_id text not null,
  starts_on timestamptz(6) not null,
  -- Samples per second and how many of them: exact where seconds would not be.
  rate integer not null,
  samples integer not null,
  ends_on timestamptz(6) not null,
  key text not null,
  size integer not null,
  mime_type text not null,
  -- Pieces with the same number follow each other to the sample: they come from one connection.
  connection text not null,
  primary key (environment_id, channel_id, starts_on, key),
  foreign key (environment_id, channel_id) references channels on delete cascade
);
create index recordings_ends_on on recordings (ends_on);
create index recordings_key on recordings (key);
