import { language, t } from '../texts/index.ts'

const cached = <T>(make: () => T): (() => T) => {
  let made: T | undefined
  return () => {
    made ??= make()
    return made
  }
}
const numbers = cached(() => new Intl.NumberFormat(language))
const relative = cached(() => new Intl.RelativeTimeFormat(language, { numeric: 'auto', style: 'short' }))
const exact = cached(() => new Intl.DateTimeFormat(language, { dateStyle: 'full', timeStyle: 'long' }))
const short = cached(() => new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' }))
const day = cached(() => new Intl.DateTimeFormat(language, { dateStyle: 'medium' }))

/** With thin separators: 12 345. */
export const formatNumber = (value: number): string =>
  numbers()
    .formatToParts(value)
    .map(({ type, value: text }) => (type === 'group' ? '\u202f' : text))
    .join('')

/** In the viewer's zone. */
export const formatTime = (moment: string | number | Date): string => short().format(new Date(moment))
export const formatExactTime = (moment: string | number | Date): string => exact().format(new Date(moment))
export const formatDay = (moment: string | number | Date): string => day().format(new Date(moment))

const steps: [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
]

export const formatRelative = (moment: string | number | Date, now = Date.now()): string => {
  const seconds = (new Date(moment).getTime() - now) / 1000
  const step = steps.find(([, size]) => Math.abs(seconds) >= size)
  return step ? relative().format(Math.round(seconds / step[1]), step[0]) : t.time.now
}

/** 30 days. */
export const formatSpan = (seconds: number): string => {
  const [unit, size] =
    seconds % 86_400 === 0 ? ['day', 86_400] : seconds % 3600 === 0 ? ['hour', 3600] : ['second', 1]
  const options = { style: 'unit', unit: unit as string, unitDisplay: 'long' } as const
  return new Intl.NumberFormat(language, options).format(seconds / (size as number))
}

const sizes = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte']
/** 1.2 MB. */
export const formatBytes = (bytes: number): string => {
  const step = Math.min(Math.floor(Math.log10(Math.max(bytes, 1)) / 3), sizes.length - 1)
  const options = { style: 'unit', unit: sizes[step]!, maximumFractionDigits: step > 1 ? 1 : 0 } as const
  return new Intl.NumberFormat(language, options).format(bytes / 1000 ** step)
}

/** 1:02:03. */
export const formatDuration = (seconds: number): string => {
  const whole = Math.round(seconds)
  const parts = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60]
  const shown = parts[0] === 0 ? parts.slice(1) : parts
  return shown.map((part, index) => (index === 0 ? String(part) : String(part).padStart(2, '0'))).join(':')
}

export const localeName = (locale: string): string =>
  new Intl.DisplayNames(language, { type: 'language' }).of(locale) ?? locale
