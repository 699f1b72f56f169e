import { LRUCache } from 'lru-cache'
import type { DataVersions, Family } from './versions.ts'

/** What matchers look at; its id ties it to the events about it. */
export type Described = { id: string }

/** One record as it was before a transaction and is after it; null where it was not or is no more. */
export type Change = { before: Described | null; after: Described | null }

type Logged = Change & { xid: number; weight: number }

/** What this process committed, in no order that matters: each change carries its transaction. */
export type ChangeLog = { version: string; changes: Logged[]; dropped: number; weight: number }

export const maxChanges = 2000
const maxWeight = 8_000_000
const maxWeightOfAll = 64_000_000
/** How long a log may still hold a record that is to be forgotten: totals survive until then. */
const forgetAfter = 60_000

/** A bounded log of changes per environment and family, from the first time that somebody asks for it. */
export const changeLogs = (versions: DataVersions) => {
  const logs = new LRUCache<string, ChangeLog>({ max: 1000, maxSize: maxWeightOfAll })
  const forgetting = new Set<string>()
  const keep = (name: string, log: ChangeLog): void => {
    // A cache takes note of another size only of what is new to it.
    logs.delete(name)
    logs.set(name, log, { size: log.weight + 1000 })
  }
  return {
    /** Another log than before means that something happened which no log holds. */
    of(environment: string, family: Family): ChangeLog {
      const name = `${environment} ${family}`
      const version = versions.untold(environment, family)
      const known = logs.get(name)
      if (known?.version === version) return known
      const log: ChangeLog = { version, changes: [], dropped: 0, weight: 0 }
      keep(name, log)
      return log
    },
    add(environment: string, family: Family, xid: string, changes: Change[]): void {
      const name = `${environment} ${family}`
      const log = logs.get(name)
      if (!log) return
      for (const { before, after } of changes) {
        const weight = weigh(before) + weigh(after)
        log.changes.push({ before, after, xid: Number(xid), weight })
        log.weight += weight
      }
      trim(log)
      keep(name, log)
    },
    /** Empties a log that holds what must not be kept. */
    forgetSoon(environment: string, family: Family): void {
      const name = `${environment} ${family}`
      if (forgetting.has(name)) return
      forgetting.add(name)
      setTimeout(() => {
        forgetting.delete(name)
        const log = logs.get(name)
        if (log) empty(log)
        logs.delete(name)
      }, forgetAfter).unref()
    },
  }
}

export const endOf = ({ dropped, changes }: ChangeLog): number => dropped + changes.length

/** A quarter goes at once, so that not every change moves all that are behind it. */
const trim = (log: ChangeLog): void => {
  if (log.changes.length <= maxChanges && log.weight <= maxWeight) return
  let gone = 0
  while (log.changes.length - gone > maxChanges * 0.75 || log.weight > maxWeight * 0.75) {
    log.weight -= log.changes[gone]!.weight
    gone += 1
  }
  log.changes.splice(0, gone)
  log.dropped += gone
}

const empty = (log: ChangeLog): void => {
  log.dropped += log.changes.length + 1
  log.changes = []
  log.weight = 0
}

/** About how many bytes a value takes. */
const weigh = (value: unknown): number => {
  if (typeof value === 'string') return 32 + value.length
  if (typeof value !== 'object' || value === null) return 8
  const inner = value instanceof Set || value instanceof Map ? value.values() : Object.values(value)
  let sum = 64
  for (const part of inner) sum += 16 + weigh(part)
  return sum
}

/** What a statement saw: `pg_current_snapshot()`. */
export type Sight = { from: number; to: number; running: Set<number> }

/** `10:20:10,14,15`: all below 10 are over, none from 20 on had begun, those listed were under way. */
export const readSight = (text: string): Sight => {
  const [from, to, running] = text.split(':')
  return {
    from: Number(from),
    to: Number(to),
    running: new Set(running === '' ? [] : running!.split(',').map(Number)),
  }
}

export const hasSeen = ({ from, to, running }: Sight, xid: number): boolean =>
  xid < from || (xid < to && !running.has(xid))
