import { LRUCache } from 'lru-cache'
import { RE2JS } from 're2js'

type Pattern = { test(value: string): boolean }

export const maxPattern = 500
/** Instructions of a compiled pattern. */
const maxSize = 500
/** Instructions times characters: the worst pattern takes 0.1 µs for each, so 0.1 s for the longest value. */
const maxWork = 1_000_000

/** The worst patterns keep 3.5 MB of states each. */
const known = new LRUCache<string, { pattern: Pattern | undefined }>({ max: 50 })

/**
 * A pattern in the syntax of RE2, which never goes back in the text: no look-around, no back-references. It is
 * found anywhere in a value unless it has `^` and `$`. Undefined when it is not valid or too large.
 */
export const compilePattern = (text: string): Pattern | undefined => {
  const before = known.get(text)
  if (before) return before.pattern
  const pattern = compile(text)
  known.set(text, { pattern })
  return pattern
}

const compile = (text: string): Pattern | undefined => {
  if (text.length > maxPattern || isCostly(text) || weigh(text) > 4 * maxSize) return undefined
  try {
    const compiled = RE2JS.compile(text)
    const size = compiled.programSize()
    if (size > maxSize) return undefined
    return { test: (value) => value.length * size <= maxWork && compiled.test(value) }
  } catch {
    return undefined
  }
}

/**
 * Between \Q and \E nothing means what it looks like. Each class of Unicode takes 0.2 ms to put together, and a wide
 * range whatever the case 10 ms.
 */
const isCostly = (text: string): boolean =>
  text.includes('\\Q') ||
  text.split(/\\p/i).length > 11 ||
  (/\(\?[a-z-]*i/i.test(text) && /-(?:\\x\{|[\u0250-\u{10ffff}])/u.test(text))

/** Escapes, classes, groups and counted repeats; anything else is one character. */
const tokens =
  /\\[pP]\{[^}]*\}|\\[\s\S]|\[\^?\]?(?:\[:\^?\w+:\]|\\[\s\S]|[^\]\\])*\]|[()]|\{(?<from>\d+),?(?<to>\d*)\}|[\s\S]/g

/** At most how large a pattern becomes. Repeats are written out, and 60,000 instructions took 0.16 s to compile. */
const weigh = (text: string): number => {
  const open = [{ weight: 0, last: 0 }]
  const add = (weight: number) => {
    const group = open.at(-1)!
    group.weight += weight
    group.last = weight
  }
  for (const { 0: token, groups } of text.matchAll(tokens)) {
    if (token === '(') open.push({ weight: 2, last: 0 })
    else if (token === ')' && open.length > 1) add(open.pop()!.weight)
    else if (groups?.from) add(open.at(-1)!.last * Math.max(Number(groups.from), Number(groups.to), 1))
    else add(1)
  }
  return open.reduce((sum, { weight }) => sum + weight, 0)
}
