import { Invalid, invalid } from '../errors.ts'

/** Names that reach into JavaScript's own objects; nobody needs them. */
const forbiddenNames = new Set(['__proto__', 'constructor', 'prototype'])

export const nameLimits = { pairs: 1000, depth: 10, keyLength: 500 }

type Node = { [name: string]: unknown }

/** `status[0][eq]=Done&limit=5` → `{status: [{eq: 'Done'}], limit: '5'}`. */
export const parseQuery = (text: string): Node => {
  if (text === '') return {}
  const parts = text.split('&', nameLimits.pairs + 2).filter(Boolean)
  return nest(
    parts.map((part): [string, string] => {
      const at = part.indexOf('=')
      const key = decode(at < 0 ? part : part.slice(0, at), part)
      return [key, at < 0 ? '' : decode(part.slice(at + 1), key)]
    }),
  )
}

const decode = (text: string, name: string): string => {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    throw invalid(shown(name), 'has a percent sign that starts no valid character')
  }
}

/** Names with brackets into nested objects and lists, the same for queries and both kinds of forms. */
export const nest = (pairs: Iterable<[string, unknown]>): Node => {
  const root: Node = Object.create(null)
  let count = 0
  for (const [key, value] of pairs) {
    count += 1
    if (count > nameLimits.pairs)
      throw invalid(shown(key), `is one name too many; at most ${nameLimits.pairs} are taken`)
    checkText(value, key)
    put(root, segmentsOf(key), value, key)
  }
  return Object.fromEntries(Object.entries(root).map(([name, value]) => [name, settle(value)]))
}

const segmentsOf = (key: string): string[] => {
  if (key.length > nameLimits.keyLength)
    throw invalid(shown(key), `is longer than ${nameLimits.keyLength} characters`)
  const match = /^([^[\]]+)((?:\[[^[\]]*\])*)$/.exec(key)
  if (!match) throw invalid(shown(key), 'is not a name such as a, a[b] or a[0][b]')
  const segments = [
    match[1]!,
    ...match[2]!
      .split('[')
      .slice(1)
      .map((part) => part.slice(0, -1)),
  ]
  if (segments.length > nameLimits.depth)
    throw invalid(shown(key), `is nested deeper than ${nameLimits.depth}`)
  const bad = segments.find((segment) => forbiddenNames.has(segment))
  if (bad) throw invalid(shown(key), `"${bad}" cannot be a name`)
  checkText(key, key)
  return segments
}

const put = (root: Node, segments: string[], value: unknown, key: string): void => {
  let node = root
  segments.forEach((segment, index) => {
    const name = segment === '' ? nextIndex(node) : segment
    if (index < segments.length - 1) {
      node[name] ??= Object.create(null)
      const next = node[name]
      if (typeof next !== 'object' || next === null || Array.isArray(next))
        throw invalid(shown(key), 'is both a value and a group')
      node = next as Node
    } else if (node[name] === undefined) node[name] = value
    else if (Array.isArray(node[name])) node[name].push(value)
    else if (typeof node[name] === 'object') throw invalid(shown(key), 'is both a value and a group')
    else node[name] = [node[name], value]
  })
}

/** One more than the highest: JavaScript keeps whole numbers in order, so the last one is the highest. */
const nextIndex = (node: Node): string => {
  const last = Object.keys(node).findLast((name) => /^\d{1,9}$/.test(name))
  return last === undefined ? '0' : String(Number(last) + 1)
}

/** Groups whose names are 0, 1, 2 … are lists. */
const settle = (value: unknown): unknown => {
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== null) return value
  const entries = Object.entries(value).map(([name, inner]) => [name, settle(inner)] as const)
  const dense = entries.length > 0 && entries.every(([name], index) => name === String(index))
  return dense ? entries.map(([, inner]) => inner) : Object.fromEntries(entries)
}

const checkText = (value: unknown, key: string): void => {
  if (typeof value === 'string' && !storable(value))
    throw invalid(shown(key), 'holds a character that cannot be stored (U+0000 or half of a surrogate pair)')
}

const storable = (text: string): boolean => !text.includes('\0') && text.isWellFormed()

/** A name as an error shows it. */
export const shown = (key: string): string =>
  (key.length > 100 ? `${key.slice(0, 100)}…` : key).toWellFormed()

const jsonLimits = { depth: 32, values: 200_000 }

/** The same rules for what arrives as JSON: names, depth, count and characters, with the path of the fault. */
export const checkJson = (value: unknown): void => {
  const problems: { path: string; message: string }[] = []
  // Paths are put together only for faults: doing so for each of 200,000 values took 100 ms.
  const trail: (string | number)[] = []
  let count = 0
  const fault = (message: string): void => {
    if (problems.length < 50) problems.push({ path: shown(trail.join('.')), message })
  }
  const visit = (inner: unknown): void => {
    count += 1
    if (typeof inner === 'string') {
      if (!storable(inner)) fault('holds a character that cannot be stored')
    } else if (typeof inner === 'object' && inner !== null) {
      if (trail.length >= jsonLimits.depth) fault(`is nested deeper than ${jsonLimits.depth}`)
      else if (Array.isArray(inner)) inner.some((item, index) => step(index, item))
      else Object.keys(inner).some((name) => step(name, (inner as Node)[name]))
    }
  }
  /** True when enough was seen. */
  const step = (name: string | number, inner: unknown): boolean => {
    trail.push(name)
    if (typeof name === 'string' && (forbiddenNames.has(name) || !storable(name))) fault('cannot be a name')
    else visit(inner)
    trail.pop()
    return count > jsonLimits.values
  }
  visit(value)
  if (count > jsonLimits.values)
    problems.push({ path: '', message: `holds more than ${jsonLimits.values} values` })
  if (problems.length > 0) throw new Invalid(problems)
}
