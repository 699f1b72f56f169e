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

/** What a schema can name as `format` of a text, besides those of JSON Schema, and what a misfit is told. */
export const formats = {
  'time-zone': { validate: isTimeZone, message: 'must be a time zone such as Europe/Amsterdam' },
  moment: {
    validate: (text) => parseMoment(text) !== undefined,
    message: 'must be a date: epoch seconds or ISO 8601',
  },
  'redirect-url': { validate: isRedirectUrl, message: 'must be an https address, or http on localhost' },
} satisfies Record<string, Format>
