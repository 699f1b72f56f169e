import { isoDate, isoDateOrNull } from '../../dates.ts'
import { followedBy } from './labels.ts'
import type { SourceRecord } from './table.ts'

const epochMs = (date: Date | null): number | null => date?.getTime() ?? null

export const presentSource = (row: SourceRecord) => ({
  id: row.id,
  created_on: isoDate(row.created_on),
  changed_on: isoDateOrNull(row.changed_on),
  label: row.label,
  url: row.url,
  interval: row.interval,
  adaptive: row.fixed_interval === null,
  fetched_on: epochMs(row.fetched_on),
  next_fetch_on: epochMs(row.next_fetch_on),
  active: row.active,
  name: row.name,
  shortname: row.shortname,
  favorite: row.favorite,
  origin: row.origin,
  tag: row.tag,
  frequency: row.frequency,
  failed: row.failed,
  error: row.error,
  last_import: epochMs(row.last_import),
  ...ofLabel(row),
})

/** What only some sources have. */
const ofLabel = ({ label, username, account_id, screen_name, picture, body }: SourceRecord) => {
  if (label === 'Ftp') return { username }
  if (followedBy[label] === 'screen_name') return { account_id, screen_name: screen_name!, picture }
  return followedBy[label] === 'body' ? { body: body! } : {}
}

/** As the specification has what follows an account or a hashtag answer. */
export const presentMicroblogAccount = (row: SourceRecord) => ({
  id: row.id,
  account_id: row.account_id,
  created_on: isoDate(row.created_on),
  label: 'MicroblogAccount' as const,
  name: row.name,
  screen_name: row.screen_name!,
  picture: row.picture,
  shortname: row.shortname,
  favorite: row.favorite,
})

export const presentMicroblogHashtag = (row: SourceRecord) => ({
  id: row.id,
  created_on: isoDate(row.created_on),
  label: 'MicroblogHashtag' as const,
  body: row.body!,
  shortname: row.shortname,
  favorite: row.favorite,
})
