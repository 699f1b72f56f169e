import type { SegmentBody } from '../features/segments/schema.ts'

const day = 86_400

/** Groups that a radio station would write to. */
export const segments: (SegmentBody & { body: string })[] = [
  { body: 'Seen this month', rules: { items: { recent: { last_seen: { il: 30 * day } } } } },
  { body: 'Under thirty', rules: { items: { young: { age: { lt: 30 } } } } },
  {
    body: 'Newsletter readers',
    rules: { items: { grown_up: { age: { gte: 18 } }, agreed: { terms: { eq: 'newsletter' } } } },
  },
  {
    body: 'Music lovers',
    rules: {
      match: 'any',
      items: {
        tagged: { tags: { in: ['Music', 'Jazz', 'Classical', 'Indie', 'Electronic'], param: 'body' } },
        fans: { liked: { has: true } },
      },
    },
  },
  {
    body: 'New and not yet active',
    rules: {
      items: {
        new: { created_on: { il: 90 * day } },
        silent: {
          match: 'any',
          items: { never: { interactions: { has: false } }, shy: { viewed: { has: false } } },
        },
      },
    },
  },
]
