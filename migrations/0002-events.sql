-- A change writes its event here in its own transaction; the dispatcher moves committed rows to `events`.
create table outbox (
  id bigint generated always as identity primary key,
  event_id text not null,
  organisation_id text not null,
  environment_id text,
  event text not null,
  label text not null,
  record_id text not null,
  snapshot jsonb,
  performed_by jsonb not null,
  created_on timestamptz(3) not null default now()
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);

-- What happened, in commit order and without gaps: the audit log and the source of webhooks and streams.
create table events (
  sequence bigint primary key,
  id text not null,
  organisation_id text not null,
  environment_id text,
  event text not null,
  label text not null,
  record_id text not null,
  snapshot jsonb,
  performed_by jsonb not null,
  created_on timestamptz(3) not null
);
create index events_environment on events (environment_id, sequence);
create index events_organisation on events (organisation_id, sequence) where environment_id is null;
create index events_record on events (environment_id, record_id, sequence);
-- Rows lie in the order of time, so a few bytes per hundred pages find a day of the audit log.
create index events_created on events using brin (created_on) with (pages_per_range = 16, autosummarize = on);

create table event_sequence (last bigint not null);
insert into event_sequence values (0);
