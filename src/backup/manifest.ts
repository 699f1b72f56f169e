import { type Static, Type } from 'typebox'
import { Value } from 'typebox/value'
import { Damaged } from './problems.ts'

const Digest = Type.String({ pattern: '^[0-9a-f]{64}$' })
const Count = Type.Integer({ minimum: 0 })
/** What PostgreSQL prints for the bounds of a partition; nothing else from a file ever becomes SQL. */
const Bounds = Type.String({
  pattern: "^(DEFAULT|FOR VALUES FROM \\('[0-9 :.+-]{1,40}'\\) TO \\('[0-9 :.+-]{1,40}'\\))$",
})

/** The last entry of a backup: what must be in front of it. */
export const Manifest = Type.Object({
  format: Type.Literal('marquee-backup'),
  version: Type.Literal(1),
  created_on: Type.String(),
  marquee: Type.String(),
  postgres: Type.String(),
  migrations: Type.Array(Type.Object({ name: Type.String(), checksum: Digest })),
  tables: Type.Array(
    Type.Object({
      name: Type.String(),
      columns: Type.Array(Type.String()),
      rows: Count,
      bytes: Count,
      sha256: Digest,
    }),
  ),
  partitions: Type.Array(Type.Object({ name: Type.String(), of: Type.String(), bounds: Bounds })),
  sequences: Type.Array(
    Type.Object({
      name: Type.String(),
      value: Type.String({ pattern: '^\\d{1,19}$' }),
      called: Type.Boolean(),
    }),
  ),
  /** The digest of a line per file, so that the manifest stays small however many files there are. */
  files: Type.Object({ count: Count, bytes: Count, sha256: Digest }),
  /** Whether the key itself is in the backup; its fingerprint always is. */
  secret: Type.Object({ included: Type.Boolean(), fingerprint: Type.String() }),
})
export type Manifest = Static<typeof Manifest>

export const parseManifest = (text: string): Manifest => {
  const parsed = tryParse(text)
  const { format, version } = (parsed ?? {}) as Partial<Manifest>
  if (format === 'marquee-backup' && typeof version === 'number' && version > 1)
    throw new Damaged('was made by a newer Marquee; update this one and try again')
  if (!Value.Check(Manifest, parsed)) throw new Damaged('has a manifest that is not valid')
  return parsed
}

const tryParse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
