import type { SourceLabel } from '../labels.ts'
import { fetchFeed } from './feed.ts'
import { fetchFolder } from './ftp.ts'
import { fetchAccount, fetchHashtag } from './microblog.ts'
import type { Connector } from './polling.ts'

export const connectors: Partial<Record<SourceLabel, Connector>> = {
  Rss: fetchFeed,
  MicroblogAccount: fetchAccount,
  MicroblogHashtag: fetchHashtag,
  Ftp: fetchFolder,
}
