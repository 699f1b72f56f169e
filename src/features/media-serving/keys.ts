import { originalKey } from '../assets/bytes.ts'
import type { Wanted } from './addresses.ts'

type Bytes = { environment_id: string; sha256: string | null }

/** Where the bytes of an asset lie, or those of a file made of it. */
export const keyOf = (
  { environment_id, sha256 }: Bytes,
  wanted: Exclude<Wanted, { sizes: unknown }> = { original: true },
): string =>
  'file' in wanted
    ? `derivatives/${environment_id}/${sha256}/${wanted.file}`
    : originalKey({ environment_id, sha256: sha256! })
