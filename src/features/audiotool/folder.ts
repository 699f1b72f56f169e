import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Context } from '../../context.ts'
import { momentOf, type Span } from './timecodes.ts'

/** `2026-11-01 08-00-00.wav`, `20261101T080000.mp3` and the like, also behind other words. */
const time = /(\d{4})-?(\d\d)-?(\d\d)[ _T-]?(\d\d)[-:.h]?(\d\d)[-:.m]?(\d\d)\D*\.\w{2,4}$/

/** Channels that have a folder of recordings: it is called by the channel's id, so no environment sees another's. */
export const foldersIn = async (root: string | undefined): Promise<Set<string>> => {
  if (!root) return new Set()
  const entries = await readdir(root, { withFileTypes: true }).catch(() => [])
  return new Set(entries.filter((entry) => entry.isDirectory()).map(({ name }) => name))
}

/** The files that hold a span: the last that began before it, and all that began within it. */
export const filesOfSpan = async (
  { config, db }: Context,
  channelId: string,
  zone: string,
  { start, end }: Span,
): Promise<{ path: string; at: number }[]> => {
  if (!(await foldersIn(config.recordings)).has(channelId)) return []
  const folder = join(config.recordings!, channelId)
  const names = (await readdir(folder, { recursive: true })).map(String).filter((name) => time.test(name))
  const days = new Set([-1, 0, 1].flatMap((day) => [start, end].map((moment) => dayOf(moment, day))))
  const files: { path: string; at: number }[] = []
  for (const name of names) {
    const [, year, month, date, hours, minutes, seconds] = time.exec(name)!
    if (!days.has(`${year}-${month}-${date}`)) continue
    const code = `${year}-${month}-${date} ${hours}:${minutes}:${seconds}`
    const moment = await momentOf(db, zone, code).catch(() => undefined)
    if (moment && moment < end) files.push({ path: join(folder, name), at: (+moment - +start) / 1000 })
  }
  files.sort((a, b) => a.at - b.at)
  return files.slice(
    Math.max(
      0,
      files.findLastIndex(({ at }) => at <= 0),
    ),
  )
}

const dayOf = (moment: Date, offset: number): string =>
  new Date(moment.getTime() + offset * 86_400_000).toISOString().slice(0, 10)
