import { invalid } from '../errors.ts'

/** What `fields` asked for: names, each with what its braces ask for. */
export type Selection = Map<string, Selection>

const maxLevels = 3
const maxNames = 200

/** `title,author{name,picture{cdn_files}}`, up to three levels. */
export const parseFields = (text: string): Selection => {
  const tokens = text.match(/[^,{}]+|[,{}]/g) ?? []
  const root: Selection = new Map()
  const open: Selection[] = [root]
  let last: Selection | undefined
  if (tokens.length > maxNames * 2) throw invalid('fields', `holds more than ${maxNames} names`)
  for (const token of tokens) {
    if (token === '{') {
      if (!last) throw invalid('fields', 'a brace must follow a name')
      if (open.length > maxLevels - 1) throw invalid('fields', `is nested deeper than ${maxLevels} levels`)
      open.push(last)
      last = undefined
    } else if (token === '}') {
      if (open.length === 1) throw invalid('fields', 'has a closing brace too many')
      open.pop()
      last = undefined
    } else if (token === ',') last = undefined
    else {
      const name = token.trim()
      if (name === '') continue
      last = open.at(-1)!.get(name) ?? new Map()
      open.at(-1)!.set(name, last)
    }
  }
  if (open.length > 1) throw invalid('fields', 'has an opening brace that is not closed')
  return root
}

/** The part of a record, or of each in a list, that braces name; without braces all of it. The id always stays. */
export const pick = (record: object | null, selection: Selection): object | null => {
  if (record === null || selection.size === 0) return record
  if (Array.isArray(record)) return record.map((item) => pick(item, selection))
  return Object.fromEntries(
    Object.entries(record)
      .filter(([name]) => name === 'id' || selection.has(name))
      .map(([name, value]) => {
        const inner = selection.get(name)
        const nested = typeof value === 'object' && value !== null && !Array.isArray(value)
        return [name, inner && nested ? pick(value, inner) : value]
      }),
  )
}
