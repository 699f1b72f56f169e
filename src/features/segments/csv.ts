/** What a spreadsheet would take for a formula, or for the beginning of one. */
const formula = /^[\s'"]*[=+\-@|%]|^[\t\r\n]/

/** A quote in front makes text of it: nothing that somebody typed as a name is ever worked out. */
const safe = (text: string): string => (formula.test(text) ? `'${text}` : text)

const cell = (value: string | null): string =>
  value === null ? '' : `"${safe(value).replaceAll('"', '""')}"`

/** One record by RFC 4180; every text is in quotes, what is not there is empty. */
export const csvLine = (values: readonly (string | null)[]): string => `${values.map(cell).join(',')}\r\n`
