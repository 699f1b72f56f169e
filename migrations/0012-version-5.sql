-- The locale that version 5 shows: the environment's default one, or the first that is linked.
alter table publication_locales add column main boolean not null default false;

-- As src/features/publications/facets.ts has it.
create function pg_temp.facet(environment text, kind text) returns bigint language sql immutable return
  ('x' || left(encode(sha256(convert_to(environment || E'\n' || kind || E'\n', 'UTF8')), 'hex'), 16))::bit(64)::bigint;

update publication_locales local
set main = true, facets = local.facets || pg_temp.facet(local.environment_id, 'main')
from publications row join environments on environments.id = row.environment_id
where row.environment_id = local.environment_id and row.id = local.id
  and local.locale = case when environments.default_locale = any (row.locales) then environments.default_locale
    else row.locales[1] end;

-- Those that are over and that the clock has settled; it settles the others.
update publication_locales local set facets = local.facets || pg_temp.facet(local.environment_id, 'expired')
from publications row, statuses done
where row.environment_id = local.environment_id and row.id = local.id
  and done.environment_id = local.environment_id and done.id = local.status_id and lower(done.body) = 'done'
  and local.expire_on <= now() and row.state -> local.locale ->> 'published' = 'false';

update publications row
set state = coalesce((select jsonb_object_agg(key, value || jsonb_build_object(
      'main', coalesce(local.main, false),
      'expired', coalesce(local.facets @> array[pg_temp.facet(row.environment_id, 'expired')], false)))
    from jsonb_each(row.state) left join publication_locales local
      on local.environment_id = row.environment_id and local.id = row.id and local.locale = key), '{}'),
  facets = (select array(select distinct unnest(row.facets || (
    select array_agg(pg_temp.facet(row.environment_id, kind)) from unnest(array['main', 'expired']) as kind
    where exists (select 1 from publication_locales local where local.environment_id = row.environment_id
      and local.id = row.id and local.facets @> array[pg_temp.facet(row.environment_id, kind)])))));

create index publication_locales_main_publish_on on publication_locales (environment_id, publish_on, id) where main;
create index publication_locales_main_title on publication_locales (environment_id, left(title, 200), id) where main;

-- The haversine, as src/features/publications/cells.ts has it. It is written out where it is used, and planned as part of that.
create function metres_between(latitude float8, longitude float8, other_latitude float8, other_longitude float8)
  returns float8 language sql immutable parallel safe
  return 2 * 6371008.8 * asin(sqrt(least(1, power(sin(radians(latitude - other_latitude) / 2), 2)
    + cos(radians(other_latitude)) * cos(radians(latitude)) * power(sin(radians(longitude - other_longitude) / 2), 2))));

-- Where publications take place. A cell is a square of the earth: those near each other have near numbers.
create table publication_places (
  environment_id text not null,
  id text not null,
  locale text not null,
  position integer not null,
  latitude double precision not null,
  longitude double precision not null,
  cell bigint not null,
  primary key (environment_id, id, locale, position) include (latitude, longitude),
  foreign key (environment_id, id) references publications on delete cascade
);
create index publication_places_cell on publication_places (environment_id, cell) include (latitude, longitude, id, locale);

-- And when.
create table publication_events (
  environment_id text not null,
  id text not null,
  locale text not null,
  position integer not null,
  starts timestamptz(3) not null,
  ends timestamptz(3) not null,
  primary key (environment_id, id, locale, position),
  foreign key (environment_id, id) references publications on delete cascade
);
create index publication_events_ends on publication_events (environment_id, ends, starts) include (id, locale);

create table notifications (
  environment_id text not null,
  person_key bigint not null,
  publication_id text not null,
  state text not null default 'pending' check (state in ('pending', 'published', 'discarded')),
  created_on timestamptz(3) not null default now(),
  changed_on timestamptz(3),
  primary key (environment_id, person_key, publication_id),
  foreign key (environment_id, person_key) references persons on delete cascade,
  foreign key (environment_id, publication_id) references publications on delete cascade
);
create index notifications_publication on notifications (environment_id, publication_id);

do $$
declare
  name text;
begin
  foreach name in array array['publication_places', 'publication_events', 'notifications'] loop
    execute format('alter table %I set (autovacuum_analyze_scale_factor = 0.02, autovacuum_analyze_threshold = 1000)', name);
  end loop;
end $$;
