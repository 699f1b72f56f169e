/** Hours from UTC, of names that JavaScript does not read. */
const zones: Record<string, string> = {
  CET: '+0100',
  CEST: '+0200',
  MEZ: '+0100',
  MESZ: '+0200',
  WET: '+0000',
  WEST: '+0100',
  EET: '+0200',
  EEST: '+0300',
  BST: '+0100',
  IST: '+0530',
  JST: '+0900',
  AEST: '+1000',
  AEDT: '+1100',
  AKST: '-0900',
  AKDT: '-0800',
}

const hour = 3_600_000
/** Before that nobody wrote feeds: 1970 and 0001 are dates that somebody forgot to fill in. */
const earliest = Date.UTC(1990, 0, 1)

/** Epoch milliseconds; undefined where it is no date, or none that can be true. What is ahead is now. */
export const readDate = (text: string | undefined, now: number): number | undefined => {
  const time = text === undefined ? Number.NaN : parse(text.trim())
  if (Number.isNaN(time) || time < earliest) return undefined
  return time > now + hour ? now : time
}

const parse = (text: string): number => {
  if (/^\d{10}$/.test(text)) return Number(text) * 1000
  if (/^\d{13}$/.test(text)) return Number(text)
  if (text.length > 100) return Number.NaN
  const zoned = text.replace(/\b[A-Z]{3,4}$/, (name) => zones[name] ?? name)
  // Without a zone JavaScript would read it as the time of this machine.
  const isWhole = /(?:Z|[+-]\d\d:?\d\d|[A-Z]{1,4})$/i.test(zoned) && /\d/.test(zoned)
  const iso = /^\d{4}-\d\d-\d\d/.test(zoned)
  if (iso && /^\d{4}-\d\d-\d\d$/.test(zoned)) return Date.parse(zoned)
  const time = Date.parse(isWhole ? zoned : iso ? `${zoned.replace(' ', 'T')}Z` : `${zoned} GMT`)
  // A name of a day that is another one, or of another language, says nothing new.
  return Number.isNaN(time) && /^\p{L}+\.?,/u.test(zoned) ? parse(zoned.replace(/^\p{L}+\.?,\s*/u, '')) : time
}
