import { documents } from './documents.ts'
import { moduleOf } from './operations.ts'

export const folder = new URL('../src/generated/', import.meta.url)

/** What `sdk/src/generated` should hold, by file name. */
export const generatedFiles = async (): Promise<Record<string, string>> => {
  const { unversioned, v5 } = await documents()
  return { 'unversioned.ts': moduleOf(unversioned, 'unversioned'), 'v5.ts': moduleOf(v5, 'v5') }
}
