-- A publication as filters saw it when the event happened, or before it for deletions, so that webhooks and streams
-- can match a filter now or years later.
alter table outbox add column match jsonb;
-- What stays for a moment only is not worth compressing.
alter table outbox alter column snapshot set storage external, alter column match set storage external;
alter table events add column match jsonb;

create table webhooks (
  environment_id text not null references environments,
  id text not null,
  url text not null,
  events text[] not null,
  filter jsonb,
  -- Name → value, each value encrypted.
  headers jsonb not null default '{}',
  active boolean not null default true,
  secret text not null,
  previous_secret text,
  previous_secret_until timestamptz(3),
  failing_since timestamptz(3),
  switched_off jsonb,
  created_by text,
  updated_by text,
  version integer not null default 1,
  created_on timestamptz(3) not null default now(),
  changed_on timestamptz(3),
  primary key (environment_id, id)
);
create index webhooks_created_on on webhooks (environment_id, created_on, id);
create index webhooks_changed_on on webhooks (environment_id, changed_on, id);
create index webhooks_url on webhooks (environment_id, url, id);
create index webhooks_url_search on webhooks using gin (fold(url) gin_trgm_ops);

-- One message to one webhook. No foreign key: a webhook may go while its deliveries are planned.
create table webhook_deliveries (
  environment_id text not null,
  id text not null,
  webhook_id text not null,
  -- The id of the message, the same on every attempt and redelivery.
  event_id text not null,
  sequence bigint,
  event text not null,
  record_id text,
  source text not null,
  bulk_operation_id text,
  status text not null default 'pending',
  attempts integer not null default 0,
  next_attempt_on timestamptz(3) default now(),
  claimed_until timestamptz(3),
  created_on timestamptz(3) not null default now(),
  ended_on timestamptz(3),
  attempted_on timestamptz(3),
  duration_ms integer,
  request_headers jsonb,
  response_status integer,
  response_head text,
  error text,
  primary key (environment_id, id)
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 5000);
create index webhook_deliveries_due on webhook_deliveries (webhook_id, next_attempt_on, id) where status = 'pending';
create index webhook_deliveries_next on webhook_deliveries (next_attempt_on) where status = 'pending';
create index webhook_deliveries_log on webhook_deliveries (environment_id, webhook_id, created_on, id);
create index webhook_deliveries_bulk on webhook_deliveries (environment_id, bulk_operation_id)
  where status = 'pending' and bulk_operation_id is not null;
create index webhook_deliveries_created on webhook_deliveries using brin (created_on)
  with (pages_per_range = 16, autosummarize = on);

-- The number of the last event whose deliveries have been planned.
create table webhook_position (sequence bigint not null);
insert into webhook_position select last from event_sequence;
