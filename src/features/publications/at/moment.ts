import { type Problem, parseMoment } from '../../../database/values.ts'

/** The time that `at` names, to the end of its second: what is shown of times are whole seconds. */
export const readAt = (sent: unknown, problems: Problem[]): Date | undefined => {
  if (sent === undefined) return undefined
  const moment = typeof sent === 'string' ? parseMoment(sent) : undefined
  if (!moment) problems.push({ path: 'at', message: 'must be a date: epoch seconds or ISO 8601' })
  return moment && new Date(Math.min(moment.from.getTime() + 1000, moment.until.getTime()) - 1)
}

export const isPast = (at: Date): boolean => at.getTime() < Date.now()
