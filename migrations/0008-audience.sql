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

-- Addresses that persons can sign in with, folded to lower case.
create table person_emails (
  environment_id text not null,
  person_key bigint not null,
  email text not null,
  primary key (environment_id, person_key, email),
  foreign key (environment_id, person_key) references persons on delete cascade
);
create index person_emails_email on person_emails (environment_id, email, person_key);

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
  total integer not null default 0,
  -- Raised with the rules; members are those of this number.
  generation integer not null default 1,
  status text not null default 'pending' check (status in ('pending', 'ready')),
  -- Up to when what changes by time alone has been looked at.
  swept_on timestamptz(3) not null default now(),
  created_by text,
  updated_by text,
  version integer not null default 1,
  created_on timestamptz(3) not null default now(),
  changed_on timestamptz(3),
  primary key (environment_id, id)
);
create index segments_created_on on segments (environment_id, created_on, id);
create index segments_changed_on on segments (environment_id, changed_on, id);

create table segment_members (
  environment_id text not null,
  segment_id text not null,
  person_key bigint not null,
  since timestamptz(3) not null default now(),
  primary key (environment_id, segment_id, person_key),
  foreign key (environment_id, segment_id) references segments on delete cascade,
  foreign key (environment_id, person_key) references persons on delete cascade
);
create index segment_members_person on segment_members (environment_id, person_key, segment_id);

-- What was committed and has still to be folded into facts, counters and segments: one row per commit, however many
-- interactions it holds. `persons` were touched; beside each stand, for an interaction, the number of its label, when it
-- was, and the publication it counts for. What was removed is taken off the counters.
create table audience_deltas (
  id bigint generated always as identity primary key,
  environment_id text not null,
  persons bigint[] not null,
  labels integer[],
  seen timestamptz(3)[],
  publications text[],
  removed boolean not null default false
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);

create table person_imports (
  environment_id text not null references environments,
  id text not null,
  status text not null check (status in ('receiving', 'pending', 'running', 'done', 'cancelled', 'failed')),
  dry_run boolean not null default false,
  matched integer not null default 0,
  processed integer not null default 0,
  created integer not null default 0,
  updated integer not null default 0,
  failed integer not null default 0,
  performed_by jsonb not null,
  created_by text,
  updated_by text,
  version integer not null default 1,
  created_on timestamptz(3) not null default now(),
  changed_on timestamptz(3),
  primary key (environment_id, id)
);
create index person_imports_created_on on person_imports (environment_id, created_on, id);

-- Rows wait here until they are read; what is wrong with one stays a week, without its values.
create table person_import_rows (
  environment_id text not null,
  import_id text not null,
  number integer not null,
  value jsonb,
  errors jsonb,
  primary key (environment_id, import_id, number),
  foreign key (environment_id, import_id) references person_imports on delete cascade
);
