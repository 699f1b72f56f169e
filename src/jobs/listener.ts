import type { Sql } from '../database/connect.ts'
import type { DataVersions } from '../database/versions.ts'
import type { Notice } from './dispatcher.ts'

/** The dispatcher speaks at least once a second; two silent seconds mean that we may be missing something. */
const silence = 2000

/** Hears what other nodes changed. While it hears nothing, nothing that is remembered may be used. */
export const listenForChanges = (sql: Sql, versions: DataVersions, onError: (error: unknown) => void) => {
  let heardAt = Number.NEGATIVE_INFINITY
  const heard = (payload: string): void => {
    if (performance.now() - heardAt > silence) versions.forget()
    heardAt = performance.now()
    const { changed } = JSON.parse(payload) as Notice
    for (const [environment, family] of changed)
      if (environment === '*') versions.forget()
      else versions.bump(environment, family)
  }
  const listening = sql.listen('marquee', heard, () => versions.forget())
  listening.catch(onError)
  return {
    isTrusted: (): boolean => performance.now() - heardAt <= silence,
    stop: async (): Promise<void> => {
      await listening.then(({ unlisten }) => unlisten()).catch(() => {})
    },
  }
}
