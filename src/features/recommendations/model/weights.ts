import type { Weights } from './score.ts'

/** What persons do together leads; the rest decides where that says little. */
export const defaultWeights: Weights = { collaborative: 1, sessions: 0.3, content: 0.4, popularity: 0.01 }
