import type { Logger } from 'pino'
import type { Config } from './config.ts'
import type { Db } from './database/connect.ts'
import type { Heard } from './database/heard.ts'
import type { RememberedTotals } from './database/totals.ts'
import type { DataVersions, RememberedValues } from './database/versions.ts'
import type { TokenCache } from './features/access/authenticate.ts'
import type { NoticeBoard } from './jobs/notices.ts'
import type { Mail } from './mail/mail.ts'
import type { Media } from './media/media.ts'
import type { Outgoing } from './outgoing/client.ts'
import type { Keys } from './secrets.ts'
import type { Storage } from './storage/storage.ts'

/** What every part is handed. Nothing else is global. */
export type Context = {
  config: Config
  db: Db
  log: Logger
  keys: Keys
  versions: DataVersions
  heard: Heard
  totals: RememberedTotals
  remember: RememberedValues
  tokens: TokenCache
  mail: Mail
  outgoing: Outgoing
  storage: Storage
  /** Work on files, in processes of their own. */
  media: Media
  /** Whether this process hears what others change: nothing may be remembered otherwise. */
  isTrusted(): boolean
  /** What the dispatcher has told all nodes. */
  notices: NoticeBoard
  /** Tells the dispatcher that something was committed, so that it need not wait for its next look. */
  wake(): void
}
