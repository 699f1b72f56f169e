import type { Logger } from 'pino'
import type { Config } from './config.ts'
import type { Context } from './context.ts'
import { connect } from './database/connect.ts'
import { heardOf } from './database/heard.ts'
import { rememberedTotals } from './database/totals.ts'
import { dataVersions, rememberedValues } from './database/versions.ts'
import { tokenCache } from './features/access/authenticate.ts'
import { writeLastUsed } from './features/access/last-used.ts'
import { startProcessing } from './features/assets/process/loop.ts'
import { startRecorder } from './features/audiotool/recorder.ts'
import { startImports } from './features/imports/run.ts'
import { startFolder } from './features/interactions/fold.ts'
import { startMusicClock } from './features/music/catalogue/clock.ts'
import { startBulk } from './features/publications/bulk/run.ts'
import { startClock } from './features/publications/clock/clock.ts'
import { startLearning } from './features/recommendations/training/loop.ts'
import { startSegments } from './features/segments/jobs.ts'
import { startSources } from './features/sources/poll/loop.ts'
import { startDeliveries } from './features/webhooks/deliver/loop.ts'
import { startPlanner } from './features/webhooks/plan.ts'
import { startDispatcher } from './jobs/dispatcher.ts'
import { listenForChanges } from './jobs/listener.ts'
import { noticeBoard } from './jobs/notices.ts'
import { startPurging } from './jobs/purge.ts'
import { startJobs } from './jobs/runner.ts'
import { mailer } from './mail/mail.ts'
import { openMedia } from './media/media.ts'
import { outgoing } from './outgoing/client.ts'
import { deriveKeys } from './secrets.ts'
import { openStorage } from './storage/open.ts'

export { createLog } from './log.ts'

type Urls = { url: string; directUrl: string }

/** To the database, shared by the HTTP processes; background work needs some 15 more. */
const connections = 40

/** A context without anything running behind it: enough for commands of the command line. */
export const openContext = (config: Config, { url }: Urls, secretKey: string, log: Logger) => {
  const { db, close } = connect(url, { max: Math.max(8, Math.floor(connections / config.workers)) })
  const versions = dataVersions()
  const context: Context = {
    config,
    db,
    log,
    keys: deriveKeys(secretKey),
    versions,
    heard: heardOf(),
    totals: rememberedTotals(versions, () => false),
    remember: rememberedValues(versions, () => false),
    tokens: tokenCache(db),
    mail: mailer(config, db),
    outgoing: outgoing(config),
    storage: openStorage(config),
    media: openMedia(),
    isTrusted: () => false,
    notices: noticeBoard(),
    wake: () => {},
  }
  return {
    context,
    async close(): Promise<void> {
      context.mail.close()
      context.media.close()
      await context.outgoing.close()
      await close()
    },
  }
}

/** A context whose caches are fed by what the nodes tell each other, with the work that goes on beside requests. */
export const runContext = async (
  config: Config,
  urls: Urls,
  secretKey: string,
  log: Logger,
  { background, processing: processes = background }: { background: boolean; processing?: boolean },
) => {
  const opened = openContext(config, urls, secretKey, log)
  const { context } = opened
  const direct = connect(urls.directUrl, { max: 5, name: 'marquee background' })
  const complain = (error: unknown) => log.error({ err: error }, 'background work failed')
  const listener = listenForChanges(
    urls.directUrl,
    context.versions,
    context.heard,
    context.notices,
    complain,
  )
  context.isTrusted = listener.isTrusted
  context.totals = rememberedTotals(context.versions, listener.isTrusted)
  context.remember = rememberedValues(context.versions, listener.isTrusted)
  const dispatcher = background ? startDispatcher(direct.db, complain) : undefined
  if (dispatcher) context.wake = dispatcher.wake
  // Nobody waits for the first job, so the start does not either.
  const jobs = background ? startJobs(context, urls.directUrl) : undefined
  jobs?.catch(complain)
  const clock = background ? startClock({ ...context, db: direct.db }, complain) : undefined
  const folder = background ? startFolder({ ...context, db: direct.db }, complain) : undefined
  const segments = background ? startSegments({ ...context, db: direct.db }, complain) : undefined
  const bulk = background ? startBulk(context, complain) : undefined
  const processing = processes ? startProcessing(context, complain) : undefined
  const imports = background ? startImports(context, complain) : undefined
  const music = background ? startMusicClock(context, complain) : undefined
  const learning = background ? startLearning(context, urls.directUrl, complain) : undefined
  const recorder = background ? startRecorder(context, complain) : undefined
  const planner = background ? startPlanner(direct.db, complain) : undefined
  const sources = background ? startSources(context, complain) : undefined
  const deliveries = background ? startDeliveries(context, complain) : undefined
  const purging = background ? startPurging(context, complain) : undefined
  const lastUsed = setInterval(() => writeLastUsed(context).catch(complain), 30_000).unref()
  return {
    context,
    async close(): Promise<void> {
      clearInterval(lastUsed)
      await Promise.all([
        clock?.stop(),
        folder?.stop(),
        segments?.stop(),
        bulk?.stop(),
        processing?.stop(),
        imports?.stop(),
        music?.stop(),
        learning?.stop(),
        recorder?.stop(),
        planner?.stop(),
        sources?.stop(),
        deliveries?.stop(),
        purging?.stop(),
      ])
      await jobs?.then(({ stop }) => stop()).catch(() => {})
      await dispatcher?.stop()
      await writeLastUsed(context).catch(complain)
      await listener.stop()
      await direct.close()
      await opened.close()
    },
  }
}
