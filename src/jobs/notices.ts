type Listener = (environment: string) => void

/** Tells parts of this process that events of an environment have got their numbers; `*` stands for all of them. */
export const noticeBoard = () => {
  const listeners = new Set<Listener>()
  return {
    tell(environments: Iterable<string>): void {
      for (const environment of environments) for (const listener of listeners) listener(environment)
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
