import { LRUCache } from 'lru-cache'
import type { RememberedTotals } from '../../../database/totals.ts'

/** Milliseconds for which a total counts as true. */
const lifetime = 2000

/** Deliveries come and go without events, so totals of them go by time: however many ask, each is counted this often. */
export const briefTotals = (): RememberedTotals => {
  const totals = new LRUCache<string, Promise<number>>({ max: 1000, ttl: lifetime })
  return {
    async of({ environment, key, count }) {
      const name = `${environment} ${key}`
      const known = totals.get(name)
      if (known) return known
      const counting = count().then((counted) => counted.count)
      totals.set(name, counting)
      counting.catch(() => totals.delete(name))
      return counting
    },
    add() {},
    forgetSoon() {},
  }
}
