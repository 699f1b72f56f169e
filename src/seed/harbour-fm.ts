import type { Role, Visibility } from '../features/access/table.ts'
import type { ChannelBody } from '../features/channels/schema.ts'
import type { ConfigurationBody } from '../features/configurations/schema.ts'
import type { ContainerBody } from '../features/containers/schema.ts'
import type { ViewBody } from '../features/views/schema.ts'

/** Harbour FM: a public radio and television station that does not exist. Only data; later parts add to it. */
export const environment = {
  name: 'Demo',
  locales: ['en-US', 'nl-NL'],
  default_locale: 'en-US',
  time_zone: 'Europe/Amsterdam',
}

const site = 'https://www.harbourfm.example'
const stream = (name: string, path: string) => ({
  name,
  url: `http://stream.harbourfm.example/${path}`,
  url_ssl: `https://stream.harbourfm.example/${path}`,
})
const pages = (path: string) => ({
  share_construct_url: `${site}/${path}/{slug}`,
  preview_construct_url: `${site}/preview/{id}`,
})

export const channels: (ChannelBody & { slug: string })[] = [
  { name: 'Website', slug: 'website', type: 'website', ...pages('articles') },
  { name: 'App', slug: 'app', type: 'app', share_construct_url: 'harbourfm://publication/{id}' },
  {
    name: 'Harbour FM',
    slug: 'harbour-fm',
    type: 'radio',
    ...pages('radio'),
    streams: [stream('MP3 192 kbit/s', 'live.mp3'), stream('AAC 64 kbit/s', 'live.aac')],
  },
  {
    name: 'Harbour FM Jazz',
    slug: 'harbour-fm-jazz',
    type: 'radio',
    ...pages('jazz'),
    streams: [stream('MP3 192 kbit/s', 'jazz.mp3')],
  },
  {
    name: 'Harbour TV',
    slug: 'harbour-tv',
    type: 'television',
    ...pages('tv'),
    streams: [{ ...stream('HLS', 'tv/index.m3u8'), custom: 'dvr=7200' }],
  },
  { name: 'Podcasts', slug: 'podcasts', type: 'podcast', ...pages('podcasts') },
  { name: 'Newsletter', slug: 'newsletter', type: 'newsletter', ...pages('newsletter') },
  { name: 'Studio screens', slug: 'studio-screens', type: 'screen' },
]

export const containers: (ContainerBody & { slug: string })[] = [
  ['The new sea lock', 'Ten years of building: what it costs, what it brings, and who lives beside it.'],
  ['Council elections', 'Parties, polls and promises, with the results of every ward on the night itself.'],
  ['Summer on the quay', 'Concerts, markets and swimming water from June to September.'],
  ['Night ferry', 'A documentary in six parts about the crew and passengers of the last night ferry.'],
  ['Housing', 'Why young families leave the old docks, and what is being built instead.'],
  ['Storm of the century?', 'Warnings, closed dikes and the morning after.'],
  ['Harbour Cup', 'Every match, every goal, and the voices from the stands.'],
  ['Open kitchen', 'Recipes of listeners, cooked live on Saturday.'],
  ['Sounds of the city', 'New music from the rehearsal rooms of the region.'],
  ['Back to school', 'What changes this year for pupils, parents and teachers.'],
  ['The tram is coming', 'Routes, road works and the first ride.'],
  ['Letters from sea', 'Sailors read what they wrote home.'],
].map(([body, description]) => ({ body: body!, description, slug: slugOf(body!) }))

function slugOf(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
}

export const tags: string[] = (
  'News,Politics,Economy,Harbour,Shipping,Housing,Traffic,Weather,Climate,Health,Education,Culture,Music,Jazz,' +
  'Classical,Indie,Electronic,Film,Theatre,Books,Food,Sport,Football,Sailing,Cycling,Running,Youth,Elderly,' +
  'Volunteers,History,Science,Technology,Interview,Documentary,Live,Podcast,Column,Video,Photo story,Contest,' +
  'Morning show,Late night'
).split(',')

/** Beside the five that every environment has. */
export const statuses = ['Fact check', 'In translation', 'Ready for broadcast']

/** Views of the list of publications that all editors share. */
export const views: ViewBody[] = [
  { area: 'content', name: 'In translation', query: 'status[in]=In translation', position: 1 },
  { area: 'content', name: 'Fact check', query: 'status[in]=Fact check&sort=-changed_on', position: 2 },
  { area: 'content', name: 'Broadcast', query: 'status[in]=Ready for broadcast', position: 3 },
]

export const configurations: ConfigurationBody[] = [
  {
    body: 'player',
    settings: {
      default_channel: 'harbour-fm',
      autoplay: 'false',
      buffer_seconds: '8',
      show_now_playing: 'true',
    },
  },
  {
    body: 'theme',
    settings: { primary: '#0b4f6c', accent: '#f4a259', logo: `${site}/logo.svg`, dark_mode: 'auto' },
  },
  {
    body: 'social',
    settings: {
      microblog: 'https://social.example/@harbourfm',
      photo_social: 'https://photos.example/harbourfm',
    },
  },
  { body: 'app', settings: { minimum_version: '3.2.0', poll_interval: '30', alarm_clock: 'true' } },
]

/** Named after what they do; nobody is meant. */
export const users: { email: string; name: string; role: Role }[] = [
  { email: 'station.owner@harbourfm.example', name: 'Station Owner', role: 'owner' },
  { email: 'web.admin@harbourfm.example', name: 'Web Admin', role: 'admin' },
  { email: 'morning.editor@harbourfm.example', name: 'Morning Editor', role: 'editor' },
  { email: 'night.editor@harbourfm.example', name: 'Night Editor', role: 'editor' },
  { email: 'studio.guest@harbourfm.example', name: 'Studio Guest', role: 'viewer' },
]

const reading = [
  'publications',
  'content_items',
  'channels',
  'assets',
  'configurations',
  'recommendations',
  'comments',
]

export const tokens: { name: string; scopes: string[]; visibility: Visibility }[] = [
  { name: 'Harbour FM website', scopes: reading, visibility: 'published' },
  {
    name: 'Harbour FM app',
    scopes: [...reading, 'interactions_publish', 'persons_me', 'messages_publish'],
    visibility: 'published',
  },
]
