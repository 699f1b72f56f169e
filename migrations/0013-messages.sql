-- What the audience writes: messages with the replies to them, and comments on publications.

-- The words of a text, folded. Each begins with its environment, so that no search meets the words of another. Its cost
-- is told, or it would be worked out anew for every row instead of being looked up.
create function words_of(environment text, value text) returns tsvector
  language sql immutable strict parallel safe cost 1000
  return (select coalesce(array_to_tsvector(array_agg(distinct left(md5(environment), 6) || left(word, 64))), '')
    from regexp_split_to_table(fold(value), '[[:space:][:punct:]]+') as word where word <> '');
-- A word as it is asked for: the beginning of one, or where it comes apart by folding, of each of its parts.
create function word_query(environment text, word text) returns tsquery
  language sql immutable strict parallel safe
  return (select string_agg(quote_literal(lexeme) || ':*', ' & ')::tsquery
    from unnest(words_of(environment, word)) as part (lexeme, positions, weights));

create table messages (
  environment_id text not null references environments,
  id text not null,
  label text not null check (label in ('EmailMessage', 'Sms', 'AppMessage', 'WebMessage')),
  -- Of a reply: what it answers. It goes with it.
  parent_id text,
  person_key bigint,
  channel_id text,
  body text not null,
  subject text,
  nickname text,
  email text,
  phone text,
  -- What the sender is found by: names and phone numbers, kept up with the person.
  sender text not null,
  on_screen_on timestamptz(3),
  -- Of a reply: whether it has gone out. Stored ones are for others to carry.
  delivery text check (delivery in ('pending', 'sent', 'failed', 'stored')),
  created_by text,
  updated_by text,
  version integer not null default 1,
  created_on timestamptz(3) not null default now(),
  changed_on timestamptz(3),
  primary key (environment_id, id),
  foreign key (environment_id, parent_id) references messages on delete cascade,
  foreign key (environment_id, person_key) references persons on delete cascade
);
-- Lists hold what was sent in; replies are read under what they answer.
create index messages_created_on on messages (environment_id, created_on, id) where parent_id is null;
create index messages_changed_on on messages (environment_id, changed_on, id) where parent_id is null;
create index messages_channel on messages (environment_id, channel_id, created_on, id) where parent_id is null;
create index messages_on_screen on messages (environment_id, created_on, id)
  where parent_id is null and on_screen_on is not null;
create index messages_replies on messages (environment_id, parent_id, created_on, id) where parent_id is not null;
create index messages_person on messages (environment_id, person_key, created_on, id) where person_key is not null;
create index messages_body_words on messages using gin (words_of(environment_id, body));
create index messages_sender_words on messages using gin (words_of(environment_id, sender));

-- One of each kind. The asset is there once it was uploaded or fetched; nothing ties it here, it may be deleted.
create table message_attachments (
  environment_id text not null,
  message_id text not null,
  kind text not null check (kind in ('photo', 'audio', 'video')),
  source_url text,
  asset_id text,
  primary key (environment_id, message_id, kind),
  foreign key (environment_id, message_id) references messages on delete cascade
);
create index message_attachments_asset on message_attachments (environment_id, asset_id) where asset_id is not null;

create table message_tags (
  environment_id text not null,
  message_id text not null,
  tag_id text not null,
  primary key (environment_id, message_id, tag_id),
  foreign key (environment_id, message_id) references messages on delete cascade,
  foreign key (environment_id, tag_id) references tags on delete cascade
);
create index message_tags_tag on message_tags (environment_id, tag_id, message_id);

create table message_favorites (
  environment_id text not null,
  user_id text not null references users on delete cascade,
  message_id text not null,
  primary key (environment_id, user_id, message_id),
  foreign key (environment_id, message_id) references messages on delete cascade
);
create index message_favorites_message on message_favorites (environment_id, message_id);
create index message_favorites_user on message_favorites (user_id);

-- No foreign key to the publication: it may be in the trash. Replies to one that is deleted move up to what it answered.
create table comments (
  environment_id text not null references environments,
  id text not null,
  publication_id text not null,
  parent_id text,
  person_key bigint,
  body text not null,
  status text not null check (status in ('pending', 'approved', 'hidden')),
  moderated boolean not null default false,
  created_by text,
  updated_by text,
  version integer not null default 1,
  created_on timestamptz(3) not null default now(),
  changed_on timestamptz(3),
  primary key (environment_id, id),
  foreign key (environment_id, parent_id) references comments,
  foreign key (environment_id, person_key) references persons on delete set null (person_key)
);
create index comments_created_on on comments (environment_id, created_on, id);
create index comments_changed_on on comments (environment_id, changed_on, id);
create index comments_publication on comments (environment_id, publication_id, created_on, id);
create index comments_threads on comments (environment_id, publication_id, created_on, id) where parent_id is null;
-- What readers see, and what moderators look for.
create index comments_readers on comments (environment_id, publication_id, created_on, id)
  where parent_id is null and status = 'approved';
create index comments_queue on comments (environment_id, status, created_on, id) where status <> 'approved';
create index comments_replies on comments (environment_id, parent_id, created_on, id) where parent_id is not null;
create index comments_person on comments (environment_id, person_key, created_on, id) where person_key is not null;
create index comments_body_words on comments using gin (words_of(environment_id, body));

-- Channels of publications one by one, for what is filtered by the channel of a publication.
create view publication_channels as
  select publications.environment_id, publications.id as publication_id, channel.id as channel_id
  from publications cross join lateral unnest(publications.channel_ids) as channel (id);

-- Numbers that senders are known by, digits alone.
create table person_phones (
  environment_id text not null,
  person_key bigint not null,
  phone text not null,
  primary key (environment_id, person_key, phone),
  foreign key (environment_id, person_key) references persons on delete cascade
);
create index person_phones_phone on person_phones (environment_id, phone, person_key);
insert into person_phones (environment_id, person_key, phone)
  select distinct environment_id, key, digits
  from persons, jsonb_array_elements(phones) as one,
    regexp_replace(regexp_replace(one ->> 'phone', '(x|ext).*$', '', 'i'), '[^0-9]', '', 'g') as all_digits,
    regexp_replace(all_digits, '^00', '') as digits
  where length(digits) >= 5;

-- Where an erasure looks for what was told of what somebody wrote.
create index webhook_deliveries_words on webhook_deliveries (environment_id, record_id)
  where event like any (array['message.%', 'comment.%', 'asset.%']);
create index outbox_words on outbox (environment_id, record_id) where label in ('Message', 'Comment', 'Asset');

alter table messages set (autovacuum_analyze_scale_factor = 0.02, autovacuum_analyze_threshold = 1000);
alter table comments set (autovacuum_analyze_scale_factor = 0.02, autovacuum_analyze_threshold = 1000);
