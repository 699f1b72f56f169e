import type { RecommendationBody } from '../features/recommendations/schema.ts'

/** Where a radio station would show them. */
export const recommendations: RecommendationBody[] = [
  { name: 'Home page', type: 'recommended_for_you' },
  { name: 'Read on', type: 'more_like_this', diversity: 2, exploration: 0.05 },
]
