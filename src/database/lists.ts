/** A list, or an object whose keys are all indexes: `a[3]=x` in a query means a list of one. */
export const listOf = (value: unknown): unknown[] | undefined => {
  if (Array.isArray(value)) return value
  if (typeof value !== 'object' || value === null) return undefined
  const keys = Object.keys(value)
  return keys.length > 0 && keys.every((key) => /^\d+$/.test(key)) ? Object.values(value) : undefined
}
