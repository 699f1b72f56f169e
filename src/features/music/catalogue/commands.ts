import { sql } from 'kysely'
import type { Tx } from '../../../database/connect.ts'
import { checkVersion, type Expected } from '../../../database/records.ts'
import { Invalid, NotFound } from '../../../errors.ts'
import { emit } from '../../../events.ts'
import type { Actor } from '../../access/authenticate.ts'
import { applyBody, blankMusic, wholeFaults } from './input.ts'
import type { Music, MusicKind } from './kinds.ts'
import { bodyFaults, linkAll, lookUp } from './look-up.ts'
import { presentMusic } from './present.ts'
import type { MusicBody } from './schema.ts'
import { loadMusic, saveMusic } from './store.ts'

const lockMusic = async (
  tx: Tx,
  kind: MusicKind,
  { environment_id }: Actor,
  id: string,
  expected: Expected,
): Promise<Music> => {
  const [found] = await loadMusic(tx, kind, environment_id, sql`row.id = ${id}`, true)
  if (!found) throw new NotFound(kind.label, id)
  checkVersion(kind.label, found, expected)
  return found
}

/** A body applied to a record that is locked, or to a new one; every fault is told at once. */
const applied = async (
  tx: Tx,
  kind: MusicKind,
  actor: Actor,
  before: Music,
  body: MusicBody,
): Promise<Music> => {
  const now = new Date()
  const known = await lookUp(tx, actor, [body])
  const draft = applyBody(kind, before, { ...body, cover: undefined }, {}, now)
  const faults = [...bodyFaults(body, known, before.cover_id), ...wholeFaults(draft)]
  if (faults.length > 0) throw new Invalid(faults)
  const [linked] = await linkAll(tx, actor, [body], known)
  return applyBody(kind, before, body, linked!, now)
}

export const createMusic =
  (kind: MusicKind) =>
  async (tx: Tx, actor: Actor, body: MusicBody): Promise<Music> => {
    const after = await applied(tx, kind, actor, blankMusic(actor, new Date()), body)
    const [saved] = await saveMusic(tx, actor, kind, [{ before: null, after }])
    return saved!
  }

export const changeMusic =
  (kind: MusicKind) =>
  async (tx: Tx, actor: Actor, id: string, body: MusicBody, expected: Expected): Promise<Music> => {
    const before = await lockMusic(tx, kind, actor, id, expected)
    const after = await applied(tx, kind, actor, before, body)
    const [saved] = await saveMusic(tx, actor, kind, [{ before, after }])
    return saved!
  }

/** Links, tags and merged references fall with the row; what was on air stays, without its track. */
export const deleteMusic =
  (kind: MusicKind) =>
  async (tx: Tx, actor: Actor, id: string, expected: Expected): Promise<void> => {
    const row = await lockMusic(tx, kind, actor, id, expected)
    await sql`delete from ${sql.table(kind.table)}
      where environment_id = ${actor.environment_id} and id = ${id}`.execute(tx)
    await emit(tx, actor, `${kind.event}.deleted`, row, presentMusic(kind)(row))
  }
