import { sql } from 'kysely'
import type { Db } from '../../database/connect.ts'
import { type FieldError, Invalid } from '../../errors.ts'

const maxHours = 3

export type Span = { start: Date; end: Date }

/** What the clocks on the wall of an environment showed, as moments. */
export const spanOf = async (
  db: Db,
  zone: string,
  codes: { start_timecode: string; end_timecode: string },
): Promise<Span> => {
  const errors: FieldError[] = []
  const moments: Date[] = []
  for (const path of ['start_timecode', 'end_timecode'] as const) {
    const moment = isDate(codes[path]) ? await momentOf(db, zone, codes[path]) : undefined
    if (moment) moments.push(moment)
    else errors.push({ path, message: `is no time in ${zone}` })
  }
  const [start, end] = moments as [Date, Date]
  if (errors.length === 0 && end <= start)
    errors.push({ path: 'end_timecode', message: 'must be after start_timecode' })
  if (errors.length === 0 && end.getTime() - start.getTime() > maxHours * 3_600_000)
    errors.push({ path: 'end_timecode', message: `must be at most ${maxHours} hours after start_timecode` })
  if (errors.length > 0) throw new Invalid(errors)
  return { start, end }
}

const isDate = (code: string): boolean => {
  const date = new Date(`${code.replace(' ', 'T')}Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().slice(0, 19).replace('T', ' ') === code
}

/** Undefined for the hour that is left out in spring. Of the hour that comes twice the second one is meant. */
export const momentOf = async (db: Db, zone: string, code: string): Promise<Date | undefined> => {
  const { rows } = await sql<{ moment: Date; shown: string }>`select moment,
      to_char(moment at time zone ${zone}, 'YYYY-MM-DD HH24:MI:SS') as shown
    from (select ${code}::timestamp at time zone ${zone} as moment) as given`.execute(db)
  return rows[0]!.shown === code ? rows[0]!.moment : undefined
}
