import type { Claimed } from './claim.ts'

/** Requests under way to one webhook and of this process. */
const maxWidth = 16
/** Claimed for one webhook, under way or not. Beyond `width` only while it answers well. */
const maxDepth = 256
const maxUnderWay = 512
/** Of all messages that are held. */
const maxBytes = 64_000_000
const slow = 1000
/** How long it is remembered that a webhook which nothing is sent to did not answer well. */
const remembered = 600_000

type Lane = { waiting: Claimed[]; underWay: number; width: number; depth: number; usedAt: number }

/**
 * What is claimed, by webhook. One that fails or hangs is given less and less, down to one request at a time, so that
 * however many do, others find room.
 */
export const openLanes = (send: (claimed: Claimed) => Promise<boolean>) => {
  const lanes = new Map<string, Lane>()
  let underWay = 0
  let bytes = 0
  let ended = 0
  const laneOf = (webhook: string): Lane => {
    const known = lanes.get(webhook)
    if (known) return known
    const lane: Lane = { waiting: [], underWay: 0, width: maxWidth, depth: maxWidth, usedAt: 0 }
    lanes.set(webhook, lane)
    return lane
  }
  const run = async (lane: Lane, claimed: Claimed): Promise<void> => {
    const from = performance.now()
    lane.underWay += 1
    underWay += 1
    const went = await send(claimed)
    lane.usedAt = performance.now()
    learn(lane, went, lane.usedAt - from)
    lane.underWay -= 1
    underWay -= 1
    ended += 1
    bytes -= claimed.body.length
    if (underWay === maxUnderWay - 1) pump()
    else while (next(lane));
  }
  const next = (lane: Lane): boolean => {
    if (lane.underWay >= lane.width || underWay >= maxUnderWay) return false
    const claimed = lane.waiting.shift()
    if (claimed) run(lane, claimed)
    return claimed !== undefined
  }
  /** One of each lane in turn, as long as there is room for any: who was served goes to the end. */
  const pump = (): void => {
    for (const [webhook, lane] of lanes) {
      if (underWay >= maxUnderWay) return
      if (!next(lane)) continue
      lanes.delete(webhook)
      lanes.set(webhook, lane)
    }
  }
  return {
    underWay: (): number => underWay,
    /** How many calls there have been. */
    ended: (): number => ended,
    isFull: (): boolean => bytes >= maxBytes,
    /** How many more of a webhook may be claimed. */
    roomFor(webhook: string): number {
      if (bytes >= maxBytes) return 0
      const lane = lanes.get(webhook)
      return lane ? Math.max(0, lane.depth - lane.waiting.length - lane.underWay) : maxWidth
    },
    add(all: Claimed[]): void {
      for (const claimed of all) {
        laneOf(claimed.webhook.id).waiting.push(claimed)
        bytes += claimed.body.length
      }
      pump()
    },
    /** Takes back what has not been sent. */
    drain(): Claimed[] {
      return [...lanes.values()].flatMap((lane) => lane.waiting.splice(0))
    },
    sweep(): void {
      for (const [webhook, lane] of lanes)
        if (lane.waiting.length + lane.underWay === 0)
          if (lane.width === maxWidth || performance.now() - lane.usedAt > remembered) lanes.delete(webhook)
    },
  }
}

const learn = (lane: Lane, went: boolean, took: number): void => {
  lane.width = went ? Math.min(maxWidth, lane.width + 1) : Math.max(1, lane.width >> 1)
  lane.depth = went && took < slow ? Math.min(maxDepth, lane.depth + 2) : lane.width
}
