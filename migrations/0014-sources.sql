create table sources (
  environment_id text not null references environments,
  id text not null,
  label text not null,
  -- What is followed, in one spelling: an address, the name of an account, a hashtag.
  target text not null,
  url text,
  name text not null,
  shortname text,
  favorite boolean not null default false,
  active boolean not null default true,
  origin text,
  tag text,
  -- In seconds; null where it is learned.
  fixed_interval integer,
  username text,
  -- Encrypted.
  password text,
  account_id text,
  screen_name text,
  picture text,
  body text,
  created_by text,
  updated_by text,
  version integer not null default 1,
  created_on timestamptz(3) not null default now(),
  changed_on timestamptz(3),
  primary key (environment_id, id),
  constraint sources_url_unique unique (environment_id, label, target)
);
create index sources_created_on on sources (environment_id, created_on, id);
create index sources_changed_on on sources (environment_id, changed_on, id);
create index sources_name on sources (environment_id, name, id);
create index sources_shortname on sources (environment_id, shortname, id);
create index sources_name_search on sources using gin (fold(name) gin_trgm_ops);

-- What changes with every poll, apart from what only people change: `sources` has many indexes.
create table source_polls (
  environment_id text not null,
  id text not null,
  -- Whom a poll asks.
  host text not null default '',
  -- When the next poll is due. A poll that is under way moves it on, so that a lost one is made again.
  next_fetch_on timestamptz(3),
  -- Seconds between two polls.
  interval integer not null,
  -- Items per day.
  frequency integer not null default 0,
  -- Polls in a row that failed.
  failed integer not null default 0,
  error text,
  fetched_on timestamptz(3),
  last_import timestamptz(3),
  -- Where the source has moved to.
  address text,
  etag text,
  last_modified text,
  content_hash bytea,
  -- The last post that was seen, by the name its server has for it.
  cursor text,
  -- Eight bytes of each item that was seen, the newest first: items are kept for a week, feeds show some for years.
  seen bytea,
  -- Raised by whoever begins anew, so that the outcome of a poll of before is not taken for one of now.
  generation integer not null default 1,
  primary key (environment_id, id),
  foreign key (environment_id, id) references sources on delete cascade
) with (fillfactor = 60, autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 5000);
create index source_polls_due on source_polls (next_fetch_on) where next_fetch_on is not null;

-- Outer joins, so that who reads only the first table is spared the other.
create view source_records as
  select source.*, poll.next_fetch_on, poll.interval, poll.frequency, poll.failed, poll.error, poll.fetched_on,
    poll.last_import
  from sources as source left join source_polls as poll using (environment_id, id);

create table source_items (
  environment_id text not null,
  id text not null,
  source_id text not null,
  key bytea not null,
  title text,
  body text,
  url text,
  author text,
  image_url text,
  published_on timestamptz(3) not null,
  reference_id text,
  -- What it is found by.
  words text not null,
  -- What was made of it.
  publication_id text,
  asset_id text,
  version integer not null default 1,
  created_on timestamptz(3) not null default now(),
  primary key (environment_id, id),
  constraint source_items_key_unique unique (environment_id, source_id, key),
  foreign key (environment_id, source_id) references sources on delete cascade
);
create index source_items_created_on on source_items (environment_id, created_on, id);
create index source_items_published_on on source_items (environment_id, published_on, id);
create index source_items_source on source_items (environment_id, source_id, published_on, id);
create index source_items_words on source_items using gin (words_of(environment_id, words));
create index source_items_old on source_items using brin (created_on) with (pages_per_range = 16, autosummarize = on);

create view source_item_records as
  select item.*, source.label as source_label, source.name as source_name, source.shortname as source_shortname
  from source_items as item left join sources as source
    on source.environment_id = item.environment_id and source.id = item.source_id;
