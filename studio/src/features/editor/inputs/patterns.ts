/** The letters of a date pattern that a date field can write; others are typed as text. */
const lengths: Record<string, [part: string, most: number, least: number]> = {
  Y: ['Y', 4, 4],
  m: ['m', 2, 2],
  n: ['m', 2, 1],
  d: ['d', 2, 2],
  j: ['d', 2, 1],
  H: ['H', 2, 2],
  G: ['H', 2, 1],
  i: ['i', 2, 2],
  s: ['s', 2, 2],
}

type Token = { part: string; most: number; least: number } | string

/** In `H:m:s` the m behind the hour means minutes. */
const compile = (pattern: string): Token[] | undefined => {
  const tokens: Token[] = []
  let last = ''
  for (const letter of pattern) {
    const known = lengths[letter]
    if (known) {
      const [part, most, least] = letter === 'm' && last === 'H' ? (['i', 2, 2] as const) : known
      tokens.push({ part, most, least })
      last = part
    } else if (/[A-SU-Za-z\\]/.test(letter)) return undefined
    else tokens.push(letter)
  }
  return tokens
}

export const isWritten = (pattern: string | null): boolean =>
  pattern === null ||
  compile(pattern)?.some((token) => typeof token === 'object' && token.part === 'Y') === true

export const hasTime = (pattern: string | null): boolean => pattern === null || /[HG]/.test(pattern)

const padded = (text: string): string => text.padStart(2, '0')

/** As the browser's field wants it, `2026-11-01T09:30`, in UTC; empty where it is not written by the pattern. */
export const toField = (written: string, pattern: string | null): string => {
  if (pattern === null) {
    const time = /^-?\d+$/.test(written) ? Number(written) * 1000 : Date.parse(written)
    return Number.isNaN(time) ? '' : new Date(time).toISOString().slice(0, 16)
  }
  const parts: Record<string, string> = {}
  let at = 0
  for (const token of compile(pattern) ?? []) {
    if (typeof token === 'string') {
      if (written[at] !== token) return ''
      at += 1
      continue
    }
    let end = at
    while (end < at + token.most && /\d/.test(written[end] ?? '')) end += 1
    if (end - at < token.least) return ''
    parts[token.part] = written.slice(at, end)
    at = end
  }
  const day = `${parts.Y}-${padded(parts.m ?? '1')}-${padded(parts.d ?? '1')}`
  return hasTime(pattern) ? `${day}T${padded(parts.H ?? '0')}:${parts.i ?? '00'}` : day
}

export const fromField = (field: string, pattern: string | null): string => {
  const [Y = '', m = '', d = '', H = '00', i = '00'] = field.split(/[-T:]/)
  if (pattern === null) return `${Y}-${m}-${d}T${H}:${i}:00Z`
  const parts: Record<string, string> = { Y, m, d, H, i, s: '00' }
  return (compile(pattern) ?? [])
    .map((token) => {
      if (typeof token === 'string') return token
      return token.least === 1 ? String(Number(parts[token.part])) : parts[token.part]
    })
    .join('')
}
