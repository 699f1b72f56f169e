import type { Context } from '../context.ts'
import { cleanUp } from '../features/access/jobs.ts'
import { addInteractionPartitions } from '../features/interactions/jobs.ts'
import type { DispatchedEvent, NewJob } from './dispatcher.ts'

export type Task = (context: Context, payload: never) => Promise<void>

/** Every background task there is. */
export const tasks: Record<string, Task> = {
  'access:clean-up': cleanUp,
  'interactions:add-partitions': addInteractionPartitions,
}

/** Tasks that run by the clock, in UTC. */
export const schedule = ['17 * * * * access:clean-up', '5 3 * * * interactions:add-partitions']

/** Jobs that an event causes. They are added in the transaction that gives the event its number. */
const causes: Record<string, (event: DispatchedEvent) => NewJob[]> = {}

export const jobsFor = (event: DispatchedEvent): NewJob[] => causes[event.event]?.(event) ?? []
