/** The palette is loaded when it is first asked for. */
const openers = new Set<() => void>()

export const onPalette = (opener: () => void): (() => void) => {
  openers.add(opener)
  return () => {
    openers.delete(opener)
  }
}

export const openPalette = (): void => {
  for (const opener of openers) opener()
}
