import type { Config } from '../../config.ts'

export const sourceLabels = [
  'Rss',
  'MicroblogAccount',
  'MicroblogHashtag',
  'PhotoSocialAccount',
  'PhotoSocialHashtag',
  'SocialNetworkPage',
  'Ftp',
] as const
export type SourceLabel = (typeof sourceLabels)[number]

/** The field that tells what is followed. */
export type FollowedBy = 'url' | 'screen_name' | 'body'

export const followedBy: Record<SourceLabel, FollowedBy> = {
  Rss: 'url',
  MicroblogAccount: 'screen_name',
  MicroblogHashtag: 'body',
  PhotoSocialAccount: 'screen_name',
  PhotoSocialHashtag: 'body',
  SocialNetworkPage: 'url',
  Ftp: 'url',
}

export const isMicroblog = (label: SourceLabel): boolean => label.startsWith('Microblog')

/** Whether this service can ask such a source at all. */
export const isConnected = ({ microblogUrl }: Pick<Config, 'microblogUrl'>, label: SourceLabel): boolean =>
  label === 'Rss' || label === 'Ftp' || (isMicroblog(label) && microblogUrl !== undefined)

export const notConnected = (label: SourceLabel): string => `No connector is configured for ${label}`
