import type { Keys } from '../../secrets.ts'

/** Somebody who was deleted is known again by these alone; the key keeps them from being guessed. */
export const idHash = (keys: Keys, environmentId: string, id: string): string =>
  keys.sign('person-id', `${environmentId} ${id}`)

export const referenceHash = (keys: Keys, environmentId: string, referenceId: string): string =>
  keys.sign('person-reference', `${environmentId} ${referenceId}`)
