-- Persons whole. What is read with a person stands in the row; what persons are found by stands beside it.
alter table persons
  drop column last_seen,
  add column initials text,
  add column preposition text,
  add column prefix_last_name text,
  add column nickname text,
  add column gender text check (gender in ('male', 'female', 'other')),
  add column date_of_birth date,
  add column company text,
  add column job_title text,
  add column description text,
  add column biography text,
  add column social_media_handle text,
  add column source text,
  add column exclude_until timestamptz(3),
  add column tracking boolean not null default true,
  add column custom text[] not null default '{}',
  add column picture_id text,
  -- Sub-records: lists of objects with id, created_on and changed_on.
  add column emails jsonb not null default '[]',
  add column phones jsonb not null default '[]',
  add column addresses jsonb not null default '[]',
  add column terms jsonb not null default '[]',
  add column accounts jsonb not null default '[]',
  add column logged_in_from jsonb not null default '[]',
  -- Encrypted; read back only to show a masked account, or to speak to the provider.
  add column bank_accounts text,
  add column provider_tokens text,
  add column password_hash text,
  add column totp_secret text,
  add column totp_confirmed boolean not null default false,
  add column totp_last_step bigint;
create index persons_changed_on on persons (environment_id, changed_on, id);
create index persons_last_name on persons (environment_id, last_name, id);
create index persons_first_name on persons (environment_id, first_name, id);

-- What segments and lists count by, in a row so narrow that a million are looked through in a moment. `labels` has a bit
-- for each kind of interaction that the person ever had. Interactions move `last_seen` and `labels` here, not in the
-- wide row.
create table person_facts (
  environment_id text not null,
  person_key bigint not null,
  created_on timestamptz(3) not null,
  last_seen timestamptz(3),
  date_of_birth date,
  gender text,
  labels integer not null default 0,
  has_password boolean not null default false,
  primary key (environment_id, person_key),
  foreign key (environment_id, person_key) references persons on delete cascade
) with (fillfactor = 80);
create index person_facts_last_seen on person_facts (environment_id, last_seen, person_key);
create index person_facts_created_on on person_facts (environment_id, created_on, person_key);
-- Birthdays, for what changes by time alone.
create index person_facts_birthday on person_facts
  (environment_id, (extract(month from date_of_birth) * 100 + extract(day from date_of_birth)))
  where date_of_birth is not null;

create function keep_person_facts() returns trigger language plpgsql as $$
begin
  insert into person_facts (environment_id, person_key, created_on, date_of_birth, gender, has_password)
  values (new.environment_id, new.key, new.created_on, new.date_of_birth, new.gender, new.password_hash is not null)
  on conflict (environment_id, person_key) do update set created_on = excluded.created_on,
    date_of_birth = excluded.date_of_birth, gender = excluded.gender, has_password = excluded.has_password;
  return null;
end $$;
create trigger persons_facts_new after insert on persons for each row execute function keep_person_facts();
create trigger persons_facts after update of created_on, date_of_birth, gender, password_hash on persons
  for each row when ((old.created_on, old.date_of_birth, old.gender, old.password_hash) is distinct from
    (new.created_on, new.date_of_birth, new.gender, new.password_hash))
  execute function keep_person_facts();
insert into person_facts (environment_id, person_key, created_on) select environment_id, key, created_on from persons;

create table person_terms (
  environment_id text not null,
  person_key bigint not null,
  term_id text not null,
  primary key (environment_id, person_key, term_id),
  foreign key (environment_id, person_key) references persons on delete cascade
);
create index person_terms_term on person_terms (environment_id, term_id, person_key);

-- `provider` is a neutral word: microblog, photo_social, social_network, search, stream, payment.
create table person_accounts (
  environment_id text not null,
  person_key bigint not null,
  provider text not null,
  account_id text not null,
  primary key (environment_id, person_key, provider, account_id),
  foreign key (environment_id, person_key) references persons on delete cascade
);
create index person_accounts_account on person_accounts (environment_id, provider, account_id, person_key);

-- Addresses that persons can sign in with, folded to lower case. Of those who share one the first that has proved it is
-- meant, with a password where one is asked for; an index has it in front.
create table person_emails (
  environment_id text not null,
  person_key bigint not null,
  email text not null,
  verified boolean not null,
  has_password boolean not null,
  primary key (environment_id, person_key, email),
  foreign key (environment_id, person_key) references persons on delete cascade
);
create index person_emails_email on person_emails (environment_id, email, verified desc, person_key);
create index person_emails_password on person_emails (environment_id, email, verified desc, person_key)
  where has_password;

-- What persons are searched by, folded: words of their names and addresses, whole addresses and their domains.
create table person_words (
  environment_id text not null,
  word text collate "C" not null,
  person_key bigint not null,
  primary key (environment_id, word, person_key)
);
create index person_words_person on person_words (environment_id, person_key, word);
-- No foreign key: a person is locked by who writes its words, and to look it up again for each took a third of the time.
create function forget_words_of_person() returns trigger language plpgsql as $$
begin
  delete from person_words where environment_id = old.environment_id and person_key = old.key;
  return null;
end $$;
create trigger persons_words_gone after delete on persons for each row execute function forget_words_of_person();
drop index persons_name_search;
insert into person_words (environment_id, word, person_key)
  select distinct environment_id, left(word, 64), key
  from persons, regexp_split_to_table(fold(concat_ws(' ', first_name, last_name)), '[[:space:][:punct:]]+') as word
  where word <> '';

-- Each of these words once, for typing errors; a word that no person has any more is gone with the last that had it.
create table person_vocabulary (
  environment_id text not null references environments,
  word text collate "C" not null,
  primary key (environment_id, word)
);
create index person_vocabulary_start on person_vocabulary (environment_id, length(word), word);
create index person_vocabulary_ending on person_vocabulary (environment_id, length(word), reverse(word));
create index person_vocabulary_search on person_vocabulary using gin (word gin_trgm_ops);
insert into person_vocabulary (environment_id, word)
  select distinct environment_id, word from person_words where length(word) >= 3 and word !~ '[0-9]';

-- Words that have nobody else are locked before they are looked for again, so that of two who give up the same word at
-- once the later one takes it away. What fifty others have needs no such care.
create function forget_person_words() returns trigger language plpgsql as $$
declare
  rare text[];
begin
  select array_agg(distinct gone.word) into rare from gone where 50 > (
    select count(*) from (select 1 from person_words as other
      where other.environment_id = gone.environment_id and other.word = gone.word limit 50) as others);
  if rare is null then
    return null;
  end if;
  perform 1 from person_vocabulary as known
    where (known.environment_id, known.word) in (select gone.environment_id, gone.word from gone where gone.word = any (rare))
    order by known.word for update;
  delete from person_vocabulary as known using (select distinct environment_id, word from gone) as gone
    where known.environment_id = gone.environment_id and known.word = gone.word and gone.word = any (rare)
      and not exists (select 1 from person_words as other
        where other.environment_id = gone.environment_id and other.word = gone.word);
  return null;
end $$;
create trigger person_words_gone after delete on person_words referencing old table as gone
  for each statement execute function forget_person_words();

-- As near_words, among the words of persons. They are looked at by their lengths: of a million few have the right one.
create function near_person_words(environment text, wanted text) returns setof text
  language plpgsql stable strict as $$
declare
  size integer := length(wanted);
  errors integer := case when size < 8 then 1 else 2 end;
  sizes integer[] := array(select generate_series(size - errors, size + errors));
  part integer := size / (errors + 1);
  starts text := left(wanted, part);
  ends text := reverse(right(wanted, case when errors = 1 then size - part else part end));
  middle text := substr(wanted, part + 1, size - 2 * part);
  highest constant text := chr(1114111);
begin
  return query
    select near.word from (
      select found.word from (
        select word from person_vocabulary
          where environment_id = environment and length(word) = any (sizes) and word >= starts and word < starts || highest
        union select word from person_vocabulary
          where environment_id = environment and length(word) = any (sizes)
            and reverse(word) >= ends and reverse(word) < ends || highest
        union select word from person_vocabulary
          where errors = 2 and middle ~ '^[a-z]{3,}$' and environment_id = environment and word like '%' || middle || '%'
      ) as found
      where length(found.word) = any (sizes) and levenshtein_less_equal(found.word, wanted, errors) <= errors
      union select word from person_vocabulary where errors = 1 and environment_id = environment and word in (
        select overlay(wanted placing reverse(substr(wanted, place, 2)) from place)
        from generate_series(1, size - 1) as place)
    ) as near
    order by levenshtein(near.word, wanted), near.word limit 20;
end $$;

-- Likes and subscriptions as they are now. No foreign key to the publication: it may be in the trash.
create table person_links (
  environment_id text not null,
  person_key bigint not null,
  kind text not null check (kind in ('Like', 'Subscribe')),
  publication_id text not null,
  created_on timestamptz(3) not null default now(),
  primary key (environment_id, person_key, kind, publication_id),
  foreign key (environment_id, person_key) references persons on delete cascade
);
create index person_links_publication on person_links (environment_id, kind, publication_id, person_key);
create index person_links_newest on person_links (environment_id, person_key, kind, created_on, publication_id);

-- An environment that PostgreSQL has never seen is planned for as if it had one person. A large import is seen soon.
do $$
declare
  name text;
begin
  foreach name in array array['persons', 'person_facts', 'person_tags', 'person_terms', 'person_accounts',
    'person_emails', 'person_words', 'person_vocabulary', 'person_links'] loop
    execute format('alter table %I set (autovacuum_analyze_scale_factor = 0.02, autovacuum_analyze_threshold = 1000)', name);
  end loop;
end $$;

-- Of persons deleted by version 5: who they were cannot be read from it, but is recognised when it comes again.
create table person_tombstones (
  environment_id text not null references environments,
  person_key bigint not null,
  id_hash text not null,
  reference_hash text,
  deleted_on timestamptz(3) not null default now(),
  primary key (environment_id, person_key)
);
create index person_tombstones_id on person_tombstones (environment_id, id_hash);
create index person_tombstones_reference on person_tombstones (environment_id, reference_hash)
  where reference_hash is not null;

-- Who became whom by a merge: interactions follow by it little by little, also those that were on their way. A reference
-- that the kept person could not take leads to it by its hash alone.
create table merged_persons (
  environment_id text not null references environments,
  person_key bigint not null,
  kept_key bigint not null,
  reference_hash text,
  primary key (environment_id, person_key)
);
create index merged_persons_kept on merged_persons (environment_id, kept_key);
create index merged_persons_reference on merged_persons (environment_id, reference_hash, person_key)
  where reference_hash is not null;

-- That somebody was erased, by whom and how much went; nothing of who it was.
create table erasure_receipts (
  environment_id text not null references environments,
  id text not null,
  kind text not null check (kind in ('anonymized', 'deleted', 'tombstone', 'merged')),
  counts jsonb not null,
  performed_by jsonb not null,
  created_on timestamptz(3) not null default now(),
  primary key (environment_id, id)
);
create index erasure_receipts_created_on on erasure_receipts (environment_id, created_on, id);

-- Where an erasure looks for what was told of a person. Its id stays in the event of the erasure for some days.
create index webhook_deliveries_person on webhook_deliveries (environment_id, record_id) where event like 'person.%';
create index outbox_person on outbox (environment_id, record_id) where label = 'Person';
create index idempotency_keys_record on idempotency_keys (environment_id, record_id) where record_id is not null;
create index events_erasures on events (created_on)
  where event in ('person.deleted', 'person.anonymized') and record_id <> 'erased';

create table person_sessions (
  environment_id text not null,
  id text not null,
  person_key bigint not null,
  hash bytea not null,
  ip_address text,
  user_agent text,
  expires_on timestamptz(3) not null,
  created_on timestamptz(3) not null default now(),
  changed_on timestamptz(3),
  primary key (environment_id, id),
  foreign key (environment_id, person_key) references persons on delete cascade
);
-- Looked up by the secret alone, as tokens are.
create unique index person_sessions_hash on person_sessions (hash);
create index person_sessions_person on person_sessions (environment_id, person_key, created_on, id);
create index person_sessions_expired on person_sessions (expires_on);

alter table tokens add column person_key bigint,
  add foreign key (environment_id, person_key) references persons on delete cascade,
  add constraint tokens_person check (person_key is null or kind = 'personal');
create index tokens_person on tokens (environment_id, person_key) where person_key is not null;

create table email_templates (
  environment_id text not null references environments,
  id text not null,
  name text not null,
  subject text not null,
  html text not null,
  text text,
  created_by text,
  updated_by text,
  version integer not null default 1,
  created_on timestamptz(3) not null default now(),
  changed_on timestamptz(3),
  primary key (environment_id, id),
  constraint email_templates_name_unique unique (environment_id, name)
);
create index email_templates_created_on on email_templates (environment_id, created_on, id);
create index email_templates_changed_on on email_templates (environment_id, changed_on, id);

-- Magic links: asked for, then mailed by a job that alone knows whether the address belongs to anybody.
create table sign_in_requests (
  environment_id text not null references environments,
  id text not null,
  -- Encrypted until the letter is sent, null afterwards.
  email text,
  template_id text,
  redirect_url text not null,
  person_key bigint,
  hash bytea,
  expires_on timestamptz(3) not null,
  created_on timestamptz(3) not null default now(),
  primary key (environment_id, id),
  foreign key (environment_id, person_key) references persons on delete cascade
);
create unique index sign_in_requests_hash on sign_in_requests (hash) where hash is not null;
create index sign_in_requests_person on sign_in_requests (environment_id, person_key) where person_key is not null;
create index sign_in_requests_expired on sign_in_requests (expires_on);

create table segments (
  environment_id text not null references environments,
  id text not null,
  body text not null,
  rules jsonb not null,
  -- Without what stands in segment_changes.
  total integer not null default 0,
  -- Pending: the members are being worked out anew, and are right up to the person at `position`.
  status text not null default 'pending' check (status in ('pending', 'ready')),
  position bigint not null default 0,
  -- What moves by time alone: `last_seen 3600`, `created_on 60`, `birthday`.
  edges text[] not null default '{}',
  last_seen timestamptz(3),
  created_by text,
  updated_by text,
  version integer not null default 1,
  created_on timestamptz(3) not null default now(),
  changed_on timestamptz(3),
  primary key (environment_id, id)
) with (fillfactor = 70);
create index segments_created_on on segments (environment_id, created_on, id);
create index segments_changed_on on segments (environment_id, changed_on, id);
create index segments_pending on segments (environment_id, id) where status = 'pending';
create index segments_moving on segments (environment_id) where edges <> '{}';

-- Up to when what moves by time alone has been looked at, and which day it was then in the environment.
create table segment_sweeps (
  environment_id text primary key references environments,
  swept_on timestamptz not null,
  day date not null
);

-- No foreign key to the segment: the members of a large one that is deleted go little by little.
create table segment_members (
  environment_id text not null,
  segment_id text not null,
  person_key bigint not null,
  since timestamptz(3) not null default now(),
  primary key (environment_id, segment_id, person_key),
  foreign key (environment_id, person_key) references persons on delete cascade
);

-- Totals move with the members, whoever changes them. Rows are added, never waited for: to delete a person must not
-- wait for the segments that it was in.
create table segment_changes (
  environment_id text not null,
  segment_id text not null,
  id bigint generated always as identity,
  change integer not null,
  primary key (environment_id, segment_id, id)
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);

create function count_segment_members() returns trigger language plpgsql as $$
begin
  insert into segment_changes (environment_id, segment_id, change)
  select environment_id, segment_id, case tg_op when 'INSERT' then count(*) else -count(*) end
  from changed group by environment_id, segment_id;
  return null;
end $$;
create trigger segment_members_added after insert on segment_members
  referencing new table as changed for each statement execute function count_segment_members();
create trigger segment_members_removed after delete on segment_members
  referencing old table as changed for each statement execute function count_segment_members();

create view counted_segments as
select environment_id, id, body, rules, status, last_seen, created_by, updated_by, version, created_on, changed_on,
  (total + coalesce((select sum(change) from segment_changes c
    where c.environment_id = s.environment_id and c.segment_id = s.id), 0))::integer as total
from segments s;
create index segment_members_person on segment_members (environment_id, person_key, segment_id);

-- What was committed and has still to be folded into facts, counters and segments: one row per commit, however many
-- interactions it holds. `persons` were touched; beside each stand, for an interaction, the number of its label, when it
-- was, and the publication it counts for. What was removed is taken off the counters.
create table audience_deltas (
  id bigint generated always as identity,
  environment_id text not null,
  persons bigint[] not null,
  labels integer[],
  seen timestamptz(3)[],
  publications text[],
  removed boolean not null default false,
  primary key (environment_id, id)
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);

create table person_imports (
  environment_id text not null references environments,
  id text not null,
  -- Receiving: the file is still arriving, and nobody sees the import yet.
  status text not null check (status in ('receiving', 'pending', 'running', 'done', 'cancelled', 'failed')),
  dry_run boolean not null default false,
  match_by text check (match_by in ('id', 'reference_id', 'email')),
  -- What the columns of the file are called, by the fields they stand for.
  columns jsonb not null default '{}',
  -- The number of the last row that was dealt with.
  position integer not null default 0,
  matched integer not null default 0,
  processed integer not null default 0,
  created integer not null default 0,
  updated integer not null default 0,
  failed integer not null default 0,
  reason text,
  performed_by jsonb not null,
  created_by text,
  updated_by text,
  version integer not null default 1,
  created_on timestamptz(3) not null default now(),
  changed_on timestamptz(3),
  primary key (environment_id, id)
);
create index person_imports_created_on on person_imports (environment_id, created_on, id);
create index person_imports_changed_on on person_imports (environment_id, changed_on, id);
create index person_imports_open on person_imports (environment_id, created_on, id)
  where status in ('pending', 'running');

-- Rows wait here in batches, encrypted, and go with the transaction that deals with the last of a batch.
create table person_import_rows (
  environment_id text not null,
  import_id text not null,
  -- Of the last row of the batch.
  number integer not null,
  rows text not null,
  primary key (environment_id, import_id, number),
  foreign key (environment_id, import_id) references person_imports on delete cascade
);

-- What was wrong with rows, without their values; kept for a week.
create table person_import_errors (
  environment_id text not null,
  id text not null,
  import_id text not null,
  number integer not null,
  "column" text not null,
  message text not null,
  primary key (environment_id, id),
  foreign key (environment_id, import_id) references person_imports on delete cascade
);
create index person_import_errors_number on person_import_errors (environment_id, import_id, number, id);

-- Hashes of what a dry run would have made, by which its later rows would find it.
create table person_import_names (
  environment_id text not null,
  import_id text not null,
  hash text not null,
  primary key (environment_id, import_id, hash),
  foreign key (environment_id, import_id) references person_imports on delete cascade
);
