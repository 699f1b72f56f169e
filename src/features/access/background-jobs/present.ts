import { isoDate } from '../../../dates.ts'
import { presentBase } from '../../../http/schemas.ts'

export type JobRow = {
  sequence: string
  id: string
  environment_id: string | null
  task: string
  attempts: number
  max_attempts: number
  run_at: Date
  last_error: string | null
  locked_at: Date | null
  created_on: Date
  changed_on: Date | null
}

export const presentJob = (row: JobRow) => ({
  ...presentBase('Job', row),
  task: row.task,
  attempts: row.attempts,
  max_attempts: row.max_attempts,
  run_at: isoDate(row.run_at),
  last_error: row.last_error && redact(row.last_error),
  locked: row.locked_at !== null,
})

/** The first line without what errors of other programs like to quote: credentials, tokens and addresses. */
export const redact = (text: string): string =>
  text
    .split('\n', 1)[0]!
    .slice(0, 500)
    .replace(/:\/\/[^\s/@]+@/g, '://…@')
    .replace(/[^\s<>@'"/:…]+@[^\s<>@'"]+/g, '…')
    .replace(/[\w+/=-]{24,}/g, '…')
