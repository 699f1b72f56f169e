import { sql } from 'kysely'
import type { Tx } from '../../database/connect.ts'
import { json } from '../../database/json.ts'
import { insertUnlessTaken, type Writer } from '../../database/records.ts'
import { freeSlug, maxAttempts } from '../../database/slugs.ts'
import { conflict } from '../../errors.ts'
import { emit, type Performer } from '../../events.ts'
import { presentTag } from './present.ts'
import type { TagRow } from './table.ts'

/** Who writes; an `Actor` is one. */
type By = Writer & Performer & { environment_id: string }
type Wanted = { body: string; key: string; tag: TagRow | null }

/**
 * The tags with these bodies, whatever their case, in the order given; missing ones are made. Any number of
 * transactions may ask for the same tag at once: one makes it, the others wait for its commit and find it.
 */
export const ensureTags = async (tx: Tx, by: By, bodies: string[]): Promise<TagRow[]> => {
  const wanted = await findByBody(tx, by, bodies)
  const found = new Map<string, TagRow>()
  // In the order of the key: two that ask for the same tags in another order would wait for each other.
  for (const { key, body, tag } of wanted.toSorted((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0)))
    found.set(key, tag ?? found.get(key) ?? (await addTag(tx, by, body)))
  return wanted.map(({ key }) => found.get(key)!)
}

/** PostgreSQL lowers the bodies, as the unique index does: JavaScript does it differently for some letters. */
const findByBody = async (tx: Tx, { environment_id }: By, bodies: string[]): Promise<Wanted[]> => {
  const { rows } = await sql<TagRow & { id: string | null; wanted: string; key: string }>`
    select tags.*, wanted.body as wanted, lower(wanted.body) as key
    from jsonb_array_elements_text(${json(bodies)}) with ordinality as wanted (body, place)
    left join tags on environment_id = ${environment_id} and lower(tags.body) = lower(wanted.body)
    order by wanted.place`.execute(tx)
  return rows.map(({ key, wanted, ...row }) => ({ key, body: wanted, tag: row.id === null ? null : row }))
}

const addTag = async (tx: Tx, by: By, body: string): Promise<TagRow> => {
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    const slug = await freeSlug(tx, 'tags', by.environment_id, body, attempt > 0)
    const row = await insertUnlessTaken(tx, 'tags', by, { body, slug })
    if (row) await emit(tx, by, 'tag.created', row, presentTag(row))
    const tag = row ?? (await findByBody(tx, by, [body]))[0]!.tag
    if (tag) return tag
  }
  throw conflict('slug', 'is already taken')
}
