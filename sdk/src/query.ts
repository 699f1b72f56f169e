/**
 * A query with nested objects in brackets, as lists take their filters:
 * `{ status: [{ eq: 'Done' }], sort: ['-created_on'] }` → `status[0][eq]=Done&sort=-created_on`.
 */
export const queryString = (query: object): string => {
  const found = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) add(found, name, value, true)
  const text = found.toString()
  return text && `?${text}`
}

const add = (found: URLSearchParams, name: string, value: unknown, outermost = false): void => {
  if (value === undefined) return
  if (outermost && isPlainList(value)) found.append(name, value.join())
  else if (typeof value === 'object' && value !== null)
    for (const [key, inner] of Object.entries(value)) add(found, `${name}[${key}]`, inner)
  else found.append(name, value === null ? '' : String(value))
}

/** Such as `sort`; a list inside of a filter keeps its indexes, so that its values may hold commas. */
const isPlainList = (value: unknown): value is unknown[] =>
  Array.isArray(value) && value.every((item) => typeof item !== 'object')
