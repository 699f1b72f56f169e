-- Search keeps every word: without the stop words of the languages "The Who" can be found.
do $$
declare
  language text;
begin
  foreach language in array array['arabic', 'armenian', 'basque', 'catalan', 'danish', 'dutch', 'english', 'finnish',
    'french', 'german', 'greek', 'hindi', 'hungarian', 'indonesian', 'irish', 'italian', 'lithuanian', 'nepali',
    'norwegian', 'portuguese', 'romanian', 'russian', 'serbian', 'spanish', 'swedish', 'tamil', 'turkish', 'yiddish']
  loop
    execute format('create text search dictionary search_%s (template = snowball, language = %s)', language, language);
    execute format('create text search configuration search_%s (copy = pg_catalog.simple)', language);
    execute format('alter text search configuration search_%s alter mapping for asciiword, word, asciihword, hword,
      hword_asciipart, hword_part with search_%s', language, language);
  end loop;
  create text search configuration search_simple (copy = pg_catalog.simple);
end $$;

-- The words of a text as search compares them. Positions are left out: nothing asks for phrases.
create function search_words(configuration regconfig, value text) returns tsvector
  language sql stable strict parallel safe
  return strip(to_tsvector(configuration, fold(value)));

create table publication_models (
  environment_id text not null references environments,
  id text not null,
  body text not null,
  description text,
  stories boolean not null,
  channels boolean not null,
  fields jsonb not null,
  created_by text,
  updated_by text,
  version integer not null default 1,
  created_on timestamptz(3) not null default now(),
  changed_on timestamptz(3),
  primary key (environment_id, id)
);
create index publication_models_created_on on publication_models (environment_id, created_on, id);
create index publication_models_changed_on on publication_models (environment_id, changed_on, id);
create index publication_models_body on publication_models (environment_id, body, id);
create index publication_models_body_search on publication_models using gin (fold(body) gin_trgm_ops);

-- One row per publication: everything that a base read and a list show. `state` has what each locale shows there;
-- `facets` are hashes of everything it can be found by, whatever the locale (see docs/decisions/0008).
create table publications (
  environment_id text not null references environments,
  id text not null,
  label text not null,
  model_id text,
  locales text[] not null,
  state jsonb not null,
  items jsonb not null,
  channel_ids text[] not null,
  container_ids text[] not null,
  facets bigint[] not null,
  -- Of the environment's default locale, for sorting without one.
  publish_on timestamptz(3),
  -- When a locale next becomes published or unpublished by the clock alone.
  next_change timestamptz(3),
  created_by text,
  updated_by text,
  version integer not null default 1,
  created_on timestamptz(3) not null default now(),
  changed_on timestamptz(3),
  primary key (environment_id, id),
  foreign key (environment_id, model_id) references publication_models
) with (toast_tuple_target = 1024);
alter table publications alter column facets set storage main;
create index publications_created_on on publications (environment_id, created_on, id);
create index publications_changed_on on publications (environment_id, changed_on, id);
create index publications_publish_on on publications (environment_id, publish_on, id);
create index publications_model on publications (environment_id, model_id, id) where model_id is not null;
create index publications_facets on publications using gin (facets) with (fastupdate = off);
create index publications_next_change on publications (next_change) where next_change is not null;

-- One row per linked locale. Content and search words are kept out of line, so that counting reads little.
create table publication_locales (
  environment_id text not null,
  id text not null,
  locale text not null,
  -- Within it a slug is unique in its locale: the model, or the channel of a record of version 5.
  slug_scope text not null,
  slug text not null,
  title text,
  status_id text not null,
  publish_on timestamptz(3),
  expire_on timestamptz(3),
  facets bigint[] not null,
  title_search tsvector not null,
  search tsvector not null,
  items jsonb not null,
  primary key (environment_id, id, locale),
  constraint publication_locales_slug_unique unique (environment_id, locale, slug, slug_scope),
  foreign key (environment_id, id) references publications on delete cascade,
  foreign key (environment_id, status_id) references statuses
) with (toast_tuple_target = 512);
-- Whatever is looked at row by row stays in the row: out of line, counting by facets took twice the time.
alter table publication_locales alter column environment_id set storage main, alter column id set storage main,
  alter column locale set storage main, alter column slug_scope set storage main, alter column slug set storage main,
  alter column title set storage main, alter column status_id set storage main, alter column facets set storage main,
  alter column title_search set storage main;
create index publication_locales_publish_on on publication_locales (environment_id, locale, publish_on, id);
create index publication_locales_status on publication_locales (environment_id, status_id);
-- New entries are gathered and put in their places together: one by one, the words of a text cost most of its write.
-- Readers look through what is gathered, so it is kept short.
create index publication_locales_search on publication_locales
  using gin (facets, title_search, search) with (fastupdate = on, gin_pending_list_limit = 512);

-- Values of filterable fields, for `items.<locale>.<api_id>`. Moments are epoch seconds; a place is two numbers.
create table publication_values (
  environment_id text not null,
  model_id text not null,
  api_id text not null,
  locale text not null,
  id text not null,
  position integer not null,
  number double precision,
  number_2 double precision,
  text text collate "C",
  primary key (environment_id, id, locale, api_id, position),
  foreign key (environment_id, id) references publications on delete cascade
);
create index publication_values_number on publication_values (environment_id, model_id, api_id, locale, number, id)
  include (number_2) where number is not null;
create index publication_values_text on publication_values (environment_id, model_id, api_id, locale, left(text, 200), id)
  where text is not null;

-- Every write. `items` has the content of the locales that it changed (null: unlinked) and, under "", the fields that
-- are stored once, if it changed them; the rest stands in earlier versions. `contents` are the names in `items`, so
-- that looking for the newest content of a locale reads no other.
create table publication_versions (
  environment_id text not null references environments,
  publication_id text not null,
  version integer not null,
  event text not null check (event in ('created', 'changed', 'deleted', 'restored')),
  label text not null,
  model_id text,
  channel_ids text[] not null,
  container_ids text[] not null,
  locales text[] not null,
  state jsonb not null,
  items jsonb not null,
  contents text[] not null,
  bulk_operation_id text,
  created_by text,
  created_on timestamptz(3) not null default now(),
  primary key (environment_id, publication_id, version)
);
create index publication_versions_bulk on publication_versions (environment_id, bulk_operation_id)
  where bulk_operation_id is not null;

-- The trash. The content stands in the versions; after 30 days both go.
create table deleted_publications (
  environment_id text not null references environments,
  id text not null,
  title text,
  version integer not null,
  created_by text,
  created_on timestamptz(3) not null,
  deleted_on timestamptz(3) not null default now(),
  deleted_by text,
  primary key (environment_id, id)
);
create index deleted_publications_deleted_on on deleted_publications (environment_id, deleted_on, id);
create index deleted_publications_expired on deleted_publications (deleted_on);

-- Working copies: what differs from what readers see, per locale; "" for what belongs to no locale. Rows outlive their
-- changes, so that the versions of a publication's drafts only ever rise.
create table publication_drafts (
  environment_id text not null,
  publication_id text not null,
  locale text not null,
  changes jsonb not null,
  version integer not null default 1,
  created_by text,
  updated_by text,
  created_on timestamptz(3) not null default now(),
  changed_on timestamptz(3),
  primary key (environment_id, publication_id, locale),
  foreign key (environment_id, publication_id) references publications on delete cascade
);

-- Notes of back-office users, on a publication or a person.
create table remarks (
  environment_id text not null references environments,
  id text not null,
  publication_id text,
  person_key bigint,
  body text not null,
  created_by text,
  updated_by text,
  version integer not null default 1,
  created_on timestamptz(3) not null default now(),
  changed_on timestamptz(3),
  primary key (environment_id, id),
  foreign key (environment_id, person_key) references persons on delete cascade
);
create index remarks_publication on remarks (environment_id, publication_id, created_on, id)
  where publication_id is not null;
create index remarks_person on remarks (environment_id, person_key, created_on, id) where person_key is not null;

-- Search finds people and files beside publications.
create index persons_name_search on persons
  using gin (fold(coalesce(first_name, '') || ' ' || coalesce(last_name, '')) gin_trgm_ops);
create index assets_name_search on assets using gin (fold(name) gin_trgm_ops);

-- Words that occur in publications, folded but not stemmed: what was begun to be typed is completed by them, and typing
-- errors are mended.
create table vocabulary (
  environment_id text not null references environments,
  word text collate "C" not null,
  -- When it was last known to occur.
  seen_on date not null default current_date,
  primary key (environment_id, word)
);
create index vocabulary_ending on vocabulary (environment_id, reverse(word));
create index vocabulary_search on vocabulary using gin (word gin_trgm_ops);

create aggregate any_of (tsquery) (sfunc = tsquery_or, stype = tsquery, parallel = safe);
create aggregate all_of (tsquery) (sfunc = tsquery_and, stype = tsquery, parallel = safe);

-- Words of the vocabulary that a folded word may have been meant for: one wrong letter in 4 to 7, two in more. Where
-- there are fewer errors than parts of the word, one part is right: only words that share one are looked at. Two
-- neighbours exchanged are two errors, so for short words they are looked up.
create function near_words(environment text, wanted text) returns setof text language plpgsql stable strict as $$
declare
  size integer := length(wanted);
  errors integer := case when size < 8 then 1 else 2 end;
  part integer := size / (errors + 1);
  starts text := left(wanted, part);
  ends text := reverse(right(wanted, case when errors = 1 then size - part else part end));
  middle text := substr(wanted, part + 1, size - 2 * part);
  highest constant text := chr(1114111);
begin
  return query
    select found.word from (
      select word from vocabulary where environment_id = environment and word >= starts and word < starts || highest
      union select word from vocabulary
        where environment_id = environment and reverse(word) >= ends and reverse(word) < ends || highest
      union select word from vocabulary
        where errors = 2 and middle ~ '^[a-z]{3,}$' and environment_id = environment and word like '%' || middle || '%'
    ) as found
    where length(found.word) between size - errors and size + errors
      and levenshtein_less_equal(found.word, wanted, errors) <= errors
    union select word from vocabulary where errors = 1 and environment_id = environment and word in (
      select overlay(wanted placing reverse(substr(wanted, place, 2)) from place)
      from generate_series(1, size - 1) as place)
    limit 20;
end $$;

create table bulk_operations (
  environment_id text not null references environments,
  id text not null,
  kind text not null,
  status text not null check (status in ('pending', 'running', 'done', 'cancelled', 'failed')),
  filter jsonb not null,
  body jsonb,
  performed_by jsonb not null,
  undoes text,
  matched integer not null,
  processed integer not null default 0,
  failed integer not null default 0,
  -- The last id that was dealt with: the work goes on behind it after a stop.
  position text,
  -- Why it failed.
  reason text,
  created_by text,
  updated_by text,
  version integer not null default 1,
  created_on timestamptz(3) not null default now(),
  changed_on timestamptz(3),
  primary key (environment_id, id)
);
create index bulk_operations_created_on on bulk_operations (environment_id, created_on, id);
create index bulk_operations_open on bulk_operations (environment_id, created_on, id)
  where status in ('pending', 'running');
create unique index bulk_operations_undoes_unique on bulk_operations (environment_id, undoes) where undoes is not null;

-- The records of an operation, fixed when it was accepted, and what went wrong with some.
create table bulk_operation_records (
  environment_id text not null,
  operation_id text not null,
  record_id text not null,
  error jsonb,
  primary key (environment_id, operation_id, record_id),
  foreign key (environment_id, operation_id) references bulk_operations on delete cascade
);
create index bulk_operation_records_failed on bulk_operation_records (environment_id, operation_id, record_id)
  where error is not null;
