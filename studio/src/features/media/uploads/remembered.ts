import { environmentInAddress } from '../../../api/session.ts'

/** Uploads of videos that were begun in this browser and are not finished; the service keeps them for a day. */
export type Begun = { key: string; id: string; name: string; size: number; since: number }

const storeKey = () => `marquee.uploads.${environmentInAddress()}`
const day = 86_400_000

const read = (): Begun[] => {
  try {
    const kept = JSON.parse(localStorage.getItem(storeKey()) ?? '[]') as Begun[]
    return kept.filter(({ since }) => Date.now() - since < day)
  } catch {
    return []
  }
}
const write = (begun: Begun[]): void => localStorage.setItem(storeKey(), JSON.stringify(begun))

type Known = Pick<File, 'name' | 'size' | 'lastModified'>
const keyOf = ({ name, size, lastModified }: Known): string => `${name}/${size}/${lastModified}`

export const remembered = (file: Known): string | undefined =>
  read().find(({ key }) => key === keyOf(file))?.id

export const remember = (file: Known, id: string): void => {
  const key = keyOf(file)
  const others = read().filter((one) => one.key !== key)
  write([...others, { key, id, name: file.name, size: file.size, since: Date.now() }])
}

export const forget = (file: Known): void => forgetKey(keyOf(file))
export const forgetKey = (key: string): void => write(read().filter((one) => one.key !== key))

export const unfinished = (): Begun[] => read()
export const isSame = (begun: Begun, file: Known): boolean => begun.key === keyOf(file)
