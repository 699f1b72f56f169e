import { setPriority } from 'node:os'
import { withSession } from '../../../database/session.ts'
import { correct } from './correct.ts'
import { learnAll } from './learn.ts'

export type Order = { url: string; environmentId: string; kind: 'all' | 'touched' }
export type Outcome = { result?: unknown; error?: string; peak: number }

/** Requests come first, whatever there is to learn. */
setPriority(10)

// Whoever wanted it is gone.
process.once('disconnect', () => process.exit())

process.once('message', async ({ url, environmentId, kind }: Order) => {
  const work = kind === 'all' ? learnAll : correct
  const outcome: Partial<Outcome> = await withSession(
    url,
    async (session) => ({ result: await work(session, environmentId) }),
    'marquee recommendations',
  ).catch((error: Error) => ({ error: error.stack ?? error.message }))
  const peak = Math.round(process.resourceUsage().maxRSS / 1024)
  process.send!({ ...outcome, peak }, () => process.disconnect())
})
