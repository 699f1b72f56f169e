import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import type { Context } from '../../../context.ts'
import { keepLooking, type Looking } from '../../../jobs/looking.ts'
import type { AssetLabel } from '../table.ts'
import { claim } from './claim.ts'
import { processAsset, workFolder } from './work.ts'

const lookEvery = 500
const remembered = 100

/** Videos take hours; whatever takes less need not wait for them. */
const lanes: AssetLabel[][] = [['Photo', 'Cover', 'PDF'], ['Photo', 'Cover', 'PDF', 'Audio'], ['Video']]

/** Every node with background work takes part. What a node was at when it died is taken over when its claim ends. */
export const startProcessing = (context: Context, onError: (error: unknown) => void): Looking => {
  const stopping = new AbortController()
  const swept = sweep(context).catch(onError)
  const all = lanes.map((labels) => {
    const served: string[] = []
    return keepLooking(async (isStopped) => {
      await swept
      while (!isStopped()) {
        const mine = await claim(context, labels, served)
        if (!mine) break
        serve(served, mine.environment_id)
        await processAsset(context, mine, stopping.signal)
      }
      return lookEvery
    }, onError)
  })
  return {
    async stop(): Promise<void> {
      stopping.abort()
      await Promise.all(all.map((lane) => lane.stop()))
    },
  }
}

const serve = (served: string[], environment: string): void => {
  const index = served.indexOf(environment)
  if (index >= 0) served.splice(index, 1)
  served.push(environment)
  if (served.length > remembered) served.shift()
}

/** Folders that a kill has left, of assets that others have brought to an end since. */
const sweep = async (context: Context): Promise<void> => {
  const names = await readdir(workFolder(context)).catch(() => [])
  if (names.length === 0) return
  const { rows } = await sql<{ name: string }>`select environment_id || '.' || id as name from assets
    where status = 'processing' and environment_id || '.' || id = any(${names}::text[])`.execute(context.db)
  const known = new Set(rows.map(({ name }) => name))
  for (const name of names)
    if (!known.has(name)) await rm(join(workFolder(context), name), { recursive: true, force: true })
}
