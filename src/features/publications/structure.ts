import { sql } from 'kysely'
import type { Context } from '../../context.ts'
import type { Db, Tx } from '../../database/connect.ts'
import type { ModelRow } from '../models/table.ts'
import type { StatusRow } from '../statuses/table.ts'

/** What the publications of an environment are made by. */
export type Structure = {
  models: ReadonlyMap<string, ModelRow>
  statuses: ReadonlyMap<string, StatusRow>
  /** By id or, whatever its case, by body. */
  findStatus(name: { id?: string; body?: string }): StatusRow | undefined
}

/** Remembered until a model or a status changes: nearly every request needs it. */
export const structureOf = (
  { db, remember }: Pick<Context, 'db' | 'remember'>,
  environmentId: string,
): Promise<Structure> =>
  remember(environmentId, 'structure', 'publications', () => loadStructure(db, environmentId))

/** As `structureOf`, but asked anew where a body names what another node may have made a moment ago. */
export const structureFor = async (
  context: Pick<Context, 'db' | 'remember'>,
  environmentId: string,
  body: Record<string, unknown>,
): Promise<Structure> => {
  const known = await structureOf(context, environmentId)
  return knowsAll(known, body) ? known : loadStructure(context.db, environmentId)
}

type Named = { id?: unknown; body?: unknown } | null

const knowsAll = ({ models, findStatus }: Structure, { model, status }: Record<string, unknown>): boolean => {
  const id = (model as Named | undefined)?.id
  const statuses = typeof status === 'object' && status !== null ? Object.values(status as object) : []
  return (
    (typeof id !== 'string' || models.has(id)) &&
    statuses.every((named: Named) => typeof named?.body !== 'string' || findStatus({ body: named.body }))
  )
}

export const loadStructure = async (db: Db | Tx, environmentId: string): Promise<Structure> => {
  const [models, statuses] = await Promise.all([
    sql<ModelRow>`select * from publication_models where environment_id = ${environmentId}`.execute(db),
    sql<StatusRow>`select * from statuses where environment_id = ${environmentId}`.execute(db),
  ])
  const byId = new Map(statuses.rows.map((row) => [row.id, row]))
  const byBody = new Map(statuses.rows.map((row) => [row.body.toLowerCase(), row]))
  return {
    models: new Map(models.rows.map((row) => [row.id, row])),
    statuses: byId,
    findStatus: ({ id, body }) =>
      id !== undefined ? byId.get(id) : body !== undefined ? byBody.get(body.toLowerCase()) : undefined,
  }
}
