/** What is wrong with the model itself, and with each of its fields. */
export const faultsByField = (faults: Record<string, string>) => {
  const entries = Object.entries(faults)
  const indexOf = (path: string): number | undefined => {
    const found = /^fields\.(\d+)/.exec(path)
    return found ? Number(found[1]) : undefined
  }
  return {
    own: Object.fromEntries(entries.filter(([path]) => indexOf(path) === undefined)),
    wrong: new Set(entries.map(([path]) => indexOf(path)).filter((index) => index !== undefined)),
    ofField: (index: number): Record<string, string> =>
      Object.fromEntries(
        entries
          .filter(([path]) => indexOf(path) === index)
          .map(([path, message]) => [path.replace(/^fields\.\d+\.?/, ''), message]),
      ),
  }
}
