import type { Context } from '../context.ts'
import type { Tx } from './connect.ts'
import { translate } from './errors.ts'
import type { Family } from './versions.ts'

type Changes = { versions: Set<string>; tokens: boolean }

const touched = new WeakMap<Tx, Changes>()

/** Notes that a transaction changes a family of an environment, so that its commit can raise the version. */
export const touch = (tx: Tx, environment: string, family: Family): void => {
  touched.get(tx)?.versions.add(`${environment} ${family}`)
}

/** Notes that a transaction changes or ends something that tokens rest on. */
export const outdateTokens = (tx: Tx): void => {
  const changes = touched.get(tx)
  if (changes) changes.tokens = true
}

/**
 * Runs `work` in one transaction; after the commit its data versions move and the dispatcher is woken. What was
 * remembered of tokens and environments goes with the events that outdate it, so that no command can forget it.
 */
export const transaction = async <T>(
  { db, versions, wake, tokens }: Pick<Context, 'db' | 'versions' | 'wake' | 'tokens'>,
  work: (tx: Tx) => Promise<T>,
): Promise<T> => {
  const changes: Changes = { versions: new Set(), tokens: false }
  const bump = () => {
    for (const change of changes.versions) {
      const [environment, family] = change.split(' ') as [string, Family]
      versions.bump(environment, family)
    }
    if (changes.tokens) tokens.forget()
    if (changes.versions.size > 0) wake()
  }
  try {
    const result = await db.transaction().execute((tx) => {
      touched.set(tx, changes)
      return work(tx)
    })
    bump()
    return result
  } catch (error) {
    // A commit whose answer was lost may still have happened.
    bump()
    throw translate(error)
  }
}
