import { hash } from 'node:crypto'
import { sql } from 'kysely'
import type { AssetRow } from '../../src/features/assets/table.ts'
import type { TestApp } from './app.ts'

type Given = Partial<
  Pick<AssetRow, 'label' | 'status' | 'mime_type' | 'original_name' | 'width' | 'height' | 'private'>
> & {
  focal?: [number, number]
  details?: object
  /** Files made of it, by name. */
  files?: Record<string, { mime_type: string; bytes: Buffer; width?: number; height?: number }>
  environment?: string
}

/** An asset with these bytes, as it is once it was processed. */
export const addFile = async (
  { context, environment }: TestApp,
  bytes: Buffer,
  { files = {}, focal, details = {}, ...given }: Given = {},
): Promise<string> => {
  const { environment: where = environment.id, ...values } = given
  const id = crypto.randomUUID()
  const sha256 = hash('sha256', bytes)
  await context.storage.put(`originals/${where}/${sha256}`, bytes)
  for (const [name, file] of Object.entries(files))
    await context.storage.put(`derivatives/${where}/${sha256}/${name}`, file.bytes)
  const derivatives = Object.entries(files).map(([name, { bytes: made, ...file }]) => ({
    name,
    label: name,
    size: made.length,
    ...file,
  }))
  const row = { label: 'Photo', status: 'ready', mime_type: 'image/jpeg', original_name: null, ...values }
  await sql`insert into assets (environment_id, id, label, status, mime_type, original_name, width, height, private,
      sha256, size, details, derivatives, focal_x, focal_y)
    values (${where}, ${id}, ${row.label}, ${row.status}, ${row.mime_type}, ${row.original_name},
      ${row.width ?? null}, ${row.height ?? null}, ${row.private ?? false}, ${sha256}, ${bytes.length},
      ${JSON.stringify(details)}::jsonb, ${JSON.stringify(derivatives)}::jsonb, ${focal?.[0] ?? null},
      ${focal?.[1] ?? null})`.execute(context.db)
  return id
}
