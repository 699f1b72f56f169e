import { isWritable, parseMoment } from '../../../database/values.ts'

type Part =
  | 'year'
  | 'month'
  | 'day'
  | 'hour'
  | 'minute'
  | 'second'
  | 'half'
  | 'offset'
  | 'epoch'
  | 'whole'
  | 'name'
type Token = { part: Part; form: RegExp }

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const two = /\d\d/y
const oneOrTwo = /\d\d?/y
const word = /[A-Za-z]{3,9}/y

/** The letters of a date pattern, as PHP has them. */
const tokens: Record<string, Token> = {
  Y: { part: 'year', form: /\d{4}/y },
  m: { part: 'month', form: two },
  n: { part: 'month', form: oneOrTwo },
  M: { part: 'month', form: word },
  F: { part: 'month', form: word },
  d: { part: 'day', form: two },
  j: { part: 'day', form: oneOrTwo },
  D: { part: 'name', form: word },
  l: { part: 'name', form: word },
  H: { part: 'hour', form: two },
  G: { part: 'hour', form: oneOrTwo },
  h: { part: 'hour', form: two },
  g: { part: 'hour', form: oneOrTwo },
  i: { part: 'minute', form: two },
  s: { part: 'second', form: two },
  A: { part: 'half', form: /[AP]M/y },
  a: { part: 'half', form: /[ap]m/y },
  P: { part: 'offset', form: /Z|[+-]\d\d:\d\d/y },
  O: { part: 'offset', form: /[+-]\d{4}/y },
  U: { part: 'epoch', form: /-?\d{1,12}/y },
  c: { part: 'whole', form: /\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)/y },
}

const compile = (pattern: string): (Token | string)[] | undefined => {
  const compiled: (Token | string)[] = []
  let last: Part | undefined
  for (let at = 0; at < pattern.length; at += 1) {
    const letter = pattern[at]!
    const token = Object.hasOwn(tokens, letter) ? tokens[letter]! : undefined
    if (letter === '\\') {
      at += 1
      compiled.push(pattern[at] ?? '')
    }
    // T stands between day and hour even where nobody has escaped it. In `H:m:s`, as many write it, the m behind the hour means minutes.
    else if (letter === 'm' && last === 'hour') compiled.push({ part: 'minute', form: two })
    else if (token) compiled.push(token)
    else if (/[A-SU-Za-z]/.test(letter)) return undefined
    else compiled.push(letter)
    last = letter === 'm' && last === 'hour' ? 'minute' : (token?.part ?? last)
  }
  return last === undefined ? undefined : compiled
}

export const isDatePattern = (pattern: string): boolean =>
  pattern.length <= 100 && compile(pattern) !== undefined

type Parts = Partial<Record<Part, string>>

/** The parts of a date written by a pattern; undefined where it is not written so. */
const scan = (text: string, pattern: string): Parts | undefined => {
  const parts: Parts = {}
  let at = 0
  for (const token of compile(pattern) ?? []) {
    const form = typeof token === 'string' ? undefined : token.form
    if (form) form.lastIndex = at
    const found = form
      ? form.exec(text)?.[0]
      : text.startsWith(token as string, at)
        ? (token as string)
        : undefined
    if (found === undefined) return undefined
    if (form) parts[(token as Token).part] = found
    at += found.length
  }
  return at === text.length ? parts : undefined
}

const monthOf = (text: string): number =>
  /\d/.test(text) ? Number(text) : months.indexOf(text.slice(0, 3).toLowerCase()) + 1

const hourOf = ({ hour = '0', half }: Parts): number => {
  if (half === undefined) return Number(hour)
  if (Number(hour) < 1 || Number(hour) > 12) return Number.NaN
  return (Number(hour) % 12) + (half.toLowerCase() === 'pm' ? 12 : 0)
}

const padded = (number: number | string): string => String(number).padStart(2, '0')

/** What `parseMoment` reads as well; it knows which days there are. */
const isoOf = (parts: Parts): string => {
  const { year = '2000', month = '01', day = '01', minute = '00', second = '00', offset = 'Z' } = parts
  const date = `${year}-${padded(monthOf(month))}-${padded(day)}`
  return `${date}T${padded(hourOf(parts))}:${minute}:${second}${offset}`
}

/** Epoch seconds of a date written by a pattern, or without one by ISO 8601 or as epoch seconds. */
const read = (text: string, pattern: string | null): { seconds: number | null } | undefined => {
  const parts = pattern === null ? { whole: text } : scan(text, pattern)
  if (!parts) return undefined
  const moment = parseMoment(parts.whole ?? parts.epoch ?? isoOf(parts))
  if (!moment || !isWritable(moment.from.getTime())) return undefined
  const known = parts.whole ?? parts.epoch ?? parts.year
  return { seconds: known === undefined ? null : moment.from.getTime() / 1000 }
}

export const isDate = (text: string, pattern: string | null): boolean => read(text, pattern) !== undefined

/** Epoch seconds; null where there is no date, or one without a year. */
export const secondsOf = (text: unknown, pattern: unknown): number | null =>
  typeof text === 'string'
    ? (read(text, typeof pattern === 'string' ? pattern : null)?.seconds ?? null)
    : null
