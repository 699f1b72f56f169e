import type { Db } from '../../database/connect.ts'
import { offered } from './names.ts'
import { type Entry, type Page, readEvents } from './read.ts'

const most = 500
const mostCharacters = 1_000_000
/** What was told of these before is in the table no more, and must not be told from memory. */
const erasing = new Set(['person.deleted', 'person.anonymized', 'message.deleted', 'comment.deleted'])

/**
 * The latest events of one environment, read once for all streams of this process. Whoever is further behind than
 * what is kept reads the table for itself.
 */
export const startFeed = (
  db: Db,
  environmentId: string,
  start: number,
  onMoved: () => void,
  onError: (error: unknown) => void,
) => {
  const kept: Entry[] = []
  let characters = 0
  /** Everything behind `floor`, up to `position`, is kept. */
  let floor = start
  let position = start
  let reading = false
  let asked = false
  let stopped = false

  const keep = ({ entries, upTo }: Page): void => {
    if (entries.some(({ event }) => erasing.has(event))) drop()
    kept.push(...entries)
    characters += entries.reduce((sum, entry) => sum + lengthOf(entry), 0)
    position = upTo
    while (kept.length > most || characters > mostCharacters) {
      const gone = kept.shift()!
      characters -= lengthOf(gone)
      floor = gone.sequence
    }
  }
  const drop = (): void => {
    kept.length = 0
    characters = 0
    floor = position
  }
  const readAll = async (): Promise<void> => {
    while (asked && !stopped) {
      asked = false
      const page = await readEvents(db, environmentId, position, offered)
      if (!page.isLast) asked = true
      if (page.upTo === position) continue
      keep(page)
      onMoved()
    }
  }
  return {
    wake(): void {
      asked = true
      if (reading) return
      reading = true
      readAll()
        .catch(onError)
        .finally(() => {
          reading = false
        })
    },
    position: () => position,
    reaches: (after: number): boolean => after >= floor,
    /** The first event behind a number that it reaches. */
    next(after: number): Entry | undefined {
      let [low, high] = [0, kept.length]
      while (low < high) {
        const middle = (low + high) >> 1
        if (kept[middle]!.sequence > after) high = middle
        else low = middle + 1
      }
      return kept[low]
    },
    stop(): void {
      stopped = true
    },
  }
}
export type Feed = ReturnType<typeof startFeed>

const lengthOf = ({ text, match }: Entry): number => text.length + (match?.length ?? 0)
