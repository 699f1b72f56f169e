import type { Claimed } from './claim.ts'

/** Requests under way to one webhook and of this process: at first, and the more the better it answers. */
const startWidth = 2
const maxWidth = 16
/** Claimed for one webhook, under way or not. Beyond `width` only while it answers well. */
const maxDepth = 256
const maxUnderWay = 512
/** Of those for webhooks whose last answer was none or not good. */
const maxDoubtful = maxUnderWay / 2
/** Of all messages that are held. */
const maxBytes = 64_000_000
const slow = 1000
/** How long it is remembered how a webhook answered to which nothing is sent. */
const remembered = 3_600_000

type Lane = {
  webhook: string
  waiting: Claimed[]
  underWay: number
  width: number
  depth: number
  isGood: boolean
  usedAt: number
}

/** Whether it was delivered; undefined: it was not tried. */
type Send = (claimed: Claimed) => Promise<boolean | undefined>

/**
 * What is claimed, by webhook. One that fails or hangs is given less and less, down to one request at a time, and half
 * of all requests are kept for those that answer well, so that however many do not, others find room.
 */
export const openLanes = (send: Send) => {
  const lanes = new Map<string, Lane>()
  /** Those with something to send; who was served goes to the end. */
  const queue = new Map<string, Lane>()
  let underWay = 0
  let doubtful = 0
  let bytes = 0
  let ended = 0
  /** Whether somebody waits for others than himself. */
  let isHeld = false
  const laneOf = (webhook: string): Lane => {
    const known = lanes.get(webhook)
    if (known) return known
    const lane: Lane = {
      webhook,
      waiting: [],
      underWay: 0,
      width: startWidth,
      depth: startWidth,
      isGood: false,
      usedAt: 0,
    }
    lanes.set(webhook, lane)
    return lane
  }
  const run = async (lane: Lane, claimed: Claimed): Promise<void> => {
    const from = performance.now()
    const { isGood } = lane
    lane.underWay += 1
    underWay += 1
    if (!isGood) doubtful += 1
    const went = await send(claimed)
    lane.usedAt = performance.now()
    if (went !== undefined) learn(lane, went, lane.usedAt - from)
    lane.underWay -= 1
    underWay -= 1
    if (!isGood) doubtful -= 1
    ended += 1
    bytes -= claimed.body.length
    if (isHeld) pump()
    else while (next(lane));
  }
  /** Once half is taken nobody gets more than a newcomer: those who were good may begin to hang all together. */
  const mayBegin = (lane: Lane): boolean => {
    if (lane.underWay >= lane.width) return false
    const isRoom =
      underWay < maxUnderWay &&
      (lane.isGood || doubtful < maxDoubtful) &&
      (underWay < maxUnderWay / 2 || lane.underWay < startWidth)
    if (!isRoom) isHeld = true
    return isRoom
  }
  const next = (lane: Lane): boolean => {
    if (lane.waiting.length === 0 || !mayBegin(lane)) return false
    run(lane, lane.waiting.shift()!)
    if (lane.waiting.length === 0) queue.delete(lane.webhook)
    return true
  }
  /** One of each lane in turn, as long as there is room for any. */
  const pump = (): void => {
    isHeld = false
    for (const [webhook, lane] of queue) {
      if (!next(lane) || !queue.delete(webhook)) continue
      queue.set(webhook, lane)
    }
  }
  return {
    underWay: (): number => underWay,
    /** How many calls there have been. */
    ended: (): number => ended,
    isFull: (): boolean => bytes >= maxBytes,
    /** How many more of a webhook may be claimed. */
    roomFor(webhook: string): number {
      const lane = lanes.get(webhook)
      if (bytes >= (lane?.isGood ? maxBytes : maxBytes / 2)) return 0
      return lane ? Math.max(0, lane.depth - lane.waiting.length - lane.underWay) : startWidth
    },
    add(all: Claimed[]): void {
      for (const claimed of all) {
        const lane = laneOf(claimed.webhook.id)
        lane.waiting.push(claimed)
        queue.set(lane.webhook, lane)
        bytes += claimed.body.length
      }
      pump()
    },
    /** Takes back what has not been sent. */
    drain(): Claimed[] {
      const waiting = [...queue.values()].flatMap((lane) => lane.waiting.splice(0))
      queue.clear()
      return waiting
    },
    sweep(): void {
      for (const [webhook, lane] of lanes)
        if (lane.waiting.length + lane.underWay === 0 && performance.now() - lane.usedAt > remembered)
          lanes.delete(webhook)
    },
  }
}

const learn = (lane: Lane, went: boolean, took: number): void => {
  lane.isGood = went
  lane.width = went ? Math.min(maxWidth, lane.width + 1) : Math.max(1, lane.width >> 1)
  lane.depth = went && took < slow ? Math.min(maxDepth, lane.depth + 2) : lane.width
}
