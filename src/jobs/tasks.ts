import type { Context } from '../context.ts'
import { sendInvitation } from '../features/access/invitations/jobs.ts'
import { cleanUp } from '../features/access/jobs.ts'
import { addInteractionPartitions } from '../features/interactions/jobs.ts'
import type { DispatchedEvent, NewJob } from './dispatcher.ts'

type Task = (context: Context, payload: never) => Promise<void>

/** Every background task there is. */
export const tasks: Record<string, Task> = {
  'access:clean-up': cleanUp,
  'access:send-invitation': sendInvitation,
  'interactions:add-partitions': addInteractionPartitions,
}

/** Tasks that run by the clock, in UTC. */
export const schedule = ['17 * * * * access:clean-up', '5 3 * * * interactions:add-partitions']

/** Jobs that an event causes. They are added in the transaction that gives the event its number. */
const causes: Record<string, (event: DispatchedEvent) => NewJob[]> = {
  'invitation.created': ({ record_id }) => [{ task: 'access:send-invitation', payload: { id: record_id } }],
}

/** Each job carries whose it is, so that it shows to nobody else. */
export const jobsFor = (event: DispatchedEvent): NewJob[] => {
  const { organisation_id, environment_id } = event
  const jobs = causes[event.event]?.(event) ?? []
  return jobs.map((job) => ({ ...job, payload: { ...job.payload, organisation_id, environment_id } }))
}
