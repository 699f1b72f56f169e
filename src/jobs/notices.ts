import type { Family } from '../database/versions.ts'

type Changed = readonly [environment: string, families: ReadonlySet<Family>]
type Listener = (...changed: Changed) => void

/** Tells parts of this process that events of an environment have got their numbers; `*` stands for all of them. */
export const noticeBoard = () => {
  const listeners = new Set<Listener>()
  return {
    tell(changes: Iterable<Changed>): void {
      for (const change of changes) for (const listener of listeners) listener(...change)
    },
    /** Gives what ends it. */
    listen(listener: Listener): () => void {
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
      }
    },
  }
}
export type NoticeBoard = ReturnType<typeof noticeBoard>
