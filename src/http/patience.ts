import { Unavailable } from '../errors.ts'

/** How long a look at the database may take before a caller is told to come back. */
export const patience = 2000

/** What `work` gives, or `Unavailable` once patience ends; the work itself goes on unheard. */
export const within = async <T>(milliseconds: number, work: Promise<T>): Promise<T> => {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(new Unavailable('it takes too long', 1)), milliseconds)
  try {
    return await Promise.race([work, late.promise])
  } finally {
    clearTimeout(timer)
  }
}
