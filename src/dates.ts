/** As every answer shows a moment: UTC, to the second. */
export const isoDate = (date: Date): string => `${date.toISOString().slice(0, 19)}+00:00`
export const isoDateOrNull = (date: Date | null): string | null => (date ? isoDate(date) : null)
