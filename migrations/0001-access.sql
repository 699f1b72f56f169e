create extension if not exists pg_trgm;
create extension if not exists unaccent;
create extension if not exists fuzzystrmatch;

-- Text as search compares it: without case and accents. Immutable, so that indexes can hold it.
create function fold(value text) returns text
  language sql immutable strict parallel safe
  return lower(unaccent('unaccent'::regdictionary, value));

-- How well the best word of a folded text fits a folded word, 100 being the same and 0 not at all. `swaps` are
-- the word with two neighbours exchanged; up to `distance` other typing errors count, in short words not in
-- the first letter; `inside` lets the word stand in the middle of another. A loop with early exits took a
-- fifth of the time of the same as one query.
create function closeness(value text, word text, swaps text[], distance integer, inside boolean) returns integer
  language plpgsql immutable strict parallel safe as $$
declare
  part text;
  best integer := 0;
begin
  if strpos(' ' || value || ' ', ' ' || word || ' ') > 0 then
    return 100;
  end if;
  foreach part in array regexp_split_to_array(value, '[[:space:][:punct:]]+') loop
    if part = word then
      return 100;
    elsif starts_with(part, word) then
      best := 80;
    elsif best < 60 and (part = any (swaps) or distance > 0
        and abs(length(part) - length(word)) <= distance and (distance > 1 or left(part, 1) = left(word, 1))
        and levenshtein_less_equal(part, word, distance) <= distance) then
      best := 60;
    elsif best < 50 and inside and strpos(part, word) > 0 then
      best := 50;
    end if;
  end loop;
  return best;
end $$;

create table organisations (
  id text primary key,
  name text not null,
  version integer not null default 1,
  created_on timestamptz(3) not null default now(),
  changed_on timestamptz(3)
);

create table environments (
  id text primary key,
  organisation_id text not null references organisations,
  name text not null,
  locales text[] not null,
  default_locale text not null,
  time_zone text not null,
  settings jsonb not null default '{}',
  version integer not null default 1,
  created_on timestamptz(3) not null default now(),
  changed_on timestamptz(3),
  constraint environments_name_unique unique (organisation_id, name)
);

create table users (
  id text primary key,
  email text not null,
  name text not null,
  password_hash text,
  totp_secret text,
  totp_confirmed boolean not null default false,
  totp_last_step bigint,
  last_seen timestamptz(3),
  version integer not null default 1,
  created_on timestamptz(3) not null default now(),
  changed_on timestamptz(3)
);
create unique index users_email_unique on users (lower(email));

create table memberships (
  organisation_id text not null references organisations,
  user_id text not null references users on delete cascade,
  role text not null check (role in ('owner', 'admin', 'editor', 'viewer')),
  primary key (organisation_id, user_id)
);
create index memberships_user on memberships (user_id);

-- Users as an organisation sees them, without what proves who they are.
create view organisation_users as
  select memberships.organisation_id, memberships.role, users.id, users.email, users.name,
    users.totp_confirmed, users.last_seen, users.version, users.created_on, users.changed_on
  from memberships join users on users.id = memberships.user_id;

create table invitations (
  id text primary key,
  organisation_id text not null references organisations,
  email text not null,
  role text not null check (role in ('owner', 'admin', 'editor', 'viewer')),
  invited_by text references users on delete set null,
  expires_on timestamptz(3) not null,
  accepted_on timestamptz(3),
  version integer not null default 1,
  created_on timestamptz(3) not null default now(),
  changed_on timestamptz(3)
);
create unique index invitations_email_unique on invitations (organisation_id, lower(email))
  where accepted_on is null;

create table applications (
  environment_id text not null references environments,
  id text not null,
  name text not null,
  secret_hash bytea not null,
  scopes text[] not null,
  visibility text not null check (visibility in ('published', 'all')),
  user_id text references users on delete set null,
  created_by text,
  updated_by text,
  version integer not null default 1,
  created_on timestamptz(3) not null default now(),
  changed_on timestamptz(3),
  primary key (environment_id, id)
);
create unique index applications_id on applications (id);

-- Above the environments: a token is looked up before its environment is known.
create table tokens (
  id text primary key,
  organisation_id text not null references organisations,
  environment_id text references environments,
  kind text not null check (kind in ('environment', 'organisation', 'application', 'studio', 'personal')),
  name text not null,
  hash bytea not null unique,
  hint text not null,
  scopes text[] not null,
  visibility text not null check (visibility in ('published', 'all')),
  user_id text references users on delete cascade,
  session_id text,
  application_id text,
  refresh_hash bytea unique,
  refresh_expires_on timestamptz(3),
  refresh_used_on timestamptz(3),
  -- The first token of a chain of refreshes.
  chain_id text,
  renewed_from text,
  expires_on timestamptz(3),
  revoked_on timestamptz(3),
  last_used_on timestamptz(3),
  created_by text,
  updated_by text,
  version integer not null default 1,
  created_on timestamptz(3) not null default now(),
  changed_on timestamptz(3),
  constraint tokens_level check ((environment_id is null) = (kind = 'organisation')),
  foreign key (environment_id, application_id) references applications on delete cascade
);
create index tokens_environment on tokens (environment_id, created_on, id);
create index tokens_organisation on tokens (organisation_id, created_on, id);
create index tokens_expired on tokens (expires_on) where expires_on is not null;
create index tokens_chain on tokens (chain_id) where chain_id is not null;
create index tokens_application on tokens (environment_id, application_id) where application_id is not null;
create index tokens_user on tokens (user_id) where user_id is not null;
create index tokens_session on tokens (session_id) where session_id is not null;

create table user_sessions (
  id text primary key,
  user_id text not null references users on delete cascade,
  hash bytea not null unique,
  ip_address text,
  user_agent text,
  expires_on timestamptz(3) not null,
  created_on timestamptz(3) not null default now(),
  changed_on timestamptz(3)
);
create index user_sessions_user on user_sessions (user_id);
create index user_sessions_expired on user_sessions (expires_on);

-- Counts of sign-in attempts. Losing them in a crash only forgives attempts.
create unlogged table rate_limits (
  key text primary key,
  window_start timestamptz(3) not null,
  count integer not null
);

create table idempotency_keys (
  environment_id text not null references environments,
  key text not null,
  token_id text not null,
  request_hash bytea not null,
  record_id text,
  created_on timestamptz(3) not null default now(),
  primary key (environment_id, token_id, key)
);
create index idempotency_keys_created on idempotency_keys (created_on);

create table mailbox (
  id text primary key,
  organisation_id text not null references organisations,
  environment_id text references environments,
  recipient text not null,
  subject text not null,
  text text not null,
  html text,
  created_on timestamptz(3) not null default now()
);
create index mailbox_created on mailbox (organisation_id, created_on, id);
