import { parseMoment } from './database/values.ts'

type Format = { validate(text: string): boolean; message: string }

/** Names only: Intl would also take an offset such as +01:00, which has no summer. */
const isTimeZone = (name: string): boolean => {
  if (!/^[A-Za-z][\w+/-]*$/.test(name)) return false
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone: name }))
  } catch {
    return false
  }
}

const isRedirectUrl = (text: string): boolean => {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url?.username !== '' || url.password !== '') return false
  return url.protocol === 'https:' || (url.protocol === 'http:' && url.hostname === 'localhost')
}

/** Words that stand for something else where the id of a person would stand. */
const reserved = new Set(
  'session,sessions,import,imports,export,exports,merge,bulk,preview,receipts,erasures,me'.split(','),
)

/** What can stand in an address as it is. */
const isPersonId = (text: string): boolean =>
  /^[A-Za-z0-9][A-Za-z0-9._~:@|=+-]*$/.test(text) && !reserved.has(text.toLowerCase())

/** A day that the calendar has and that has come, wherever on earth. */
const isDateOfBirth = (text: string): boolean => {
  const day = /^\d{4}-\d\d-\d\d$/.test(text) ? parseMoment(text)?.from.getTime() : undefined
  return day !== undefined && day <= Date.now() + 14 * 3_600_000
}

/** Long ones are refused before they are looked through. */
const isPhone = (text: string): boolean =>
  text.length <= 50 && /^[+\d()./\s-]*\d[\d()./\s-]*(?:(?:x|ext\.?)\s*\d+)?$/i.test(text)

/** Country, check digits and account by ISO 13616; stars are how it is shown, and may come back. */
const isIban = (text: string): boolean => {
  if (text.length > 60) return false
  const plain = text.replaceAll(/\s/g, '').toUpperCase()
  if (/^[A-Z]{2}\*{9,28}[A-Z0-9]{4}$/.test(plain)) return true
  if (!/^[A-Z]{2}\d\d[A-Z0-9]{11,30}$/.test(plain)) return false
  const digits = [...`${plain.slice(4)}${plain.slice(0, 4)}`].map((sign) => parseInt(sign, 36)).join('')
  return BigInt(digits) % 97n === 1n
}

/** What a schema can name as `format` of a text, besides those of JSON Schema, and what a misfit is told. */
export const formats = {
  'time-zone': { validate: isTimeZone, message: 'must be a time zone such as Europe/Amsterdam' },
  moment: {
    validate: (text) => parseMoment(text) !== undefined,
    message: 'must be a date: epoch seconds or ISO 8601',
  },
  'redirect-url': { validate: isRedirectUrl, message: 'must be an https address, or http on localhost' },
  'person-id': {
    validate: isPersonId,
    message:
      'must begin with a letter or digit, hold only those and . _ ~ : @ | = + -, and be no reserved word',
  },
  'date-of-birth': {
    validate: isDateOfBirth,
    message: 'must be a date such as 1990-04-23, and not in the future',
  },
  phone: { validate: isPhone, message: 'must be a phone number' },
  iban: { validate: isIban, message: 'must be an IBAN' },
} satisfies Record<string, Format>
