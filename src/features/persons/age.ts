/** Today where an environment is, as YYYY-MM-DD. */
export const todayIn = (timeZone: string, now = new Date()): string =>
  new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' }).format(
    now,
  )

/** The last date on which somebody who is so old today can be born; who was born on 29 February waits for 1 March. */
export const bornBy = (age: number, today: string): string => {
  const [year, month, day] = today.split('-') as [string, string, string]
  const born = Number(year) - age
  if (born < 1) return '-infinity'
  if (born > 9999) return 'infinity'
  const isGone = month === '02' && day === '29' && !hasLeapDay(born)
  return `${String(born).padStart(4, '0')}-${month}-${isGone ? '28' : day}`
}

const hasLeapDay = (year: number): boolean => year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)

/** Full years since a date of birth; null where there is none. */
export const ageOn = (dateOfBirth: string | null, today: string): number | null => {
  if (dateOfBirth === null) return null
  const years = Number(today.slice(0, 4)) - Number(dateOfBirth.slice(0, 4))
  return today.slice(5) < dateOfBirth.slice(5) ? years - 1 : years
}
