import type { V5 } from 'marquee-sdk'
import { formatNumber } from '../../components/format.ts'
import type { Meaning } from '../../components/StatusMark.tsx'
import { t } from '../../texts/index.ts'

export type Source = V5.Source
export type SourceItem = V5.SourceItem
export type Kind = Source['label']

/** Those that can be followed from here; others are stored, but nobody can ask them. */
export const followable = ['Rss', 'MicroblogAccount', 'MicroblogHashtag', 'Ftp'] as const satisfies Kind[]
export type Followable = (typeof followable)[number]

/** What is followed, as people write it. */
export const followed = ({ screen_name, body, url, origin }: Source): string => {
  if (screen_name) return `@${screen_name}`
  return body ? `#${body}` : (origin ?? url ?? '')
}

export const stateOf = (source: Source): { meaning: Meaning; words: string } => {
  if (source.failed > 0)
    return { meaning: 'danger', words: t.sources.failedTimes(formatNumber(source.failed)) }
  if (source.error) return { meaning: 'waiting', words: t.sources.noConnector }
  if (!source.active) return { meaning: 'gone', words: t.sources.paused }
  if (source.fetched_on === null) return { meaning: 'started', words: t.sources.waiting }
  return { meaning: 'done', words: t.sources.upToDate }
}

/** Epoch milliseconds as everything else has moments. */
export const momentOf = (epoch: number | null): string | null =>
  epoch === null ? null : new Date(epoch).toISOString()

export const nameOfItem = ({ title, url }: SourceItem): string => title ?? url ?? t.common.unnamed
