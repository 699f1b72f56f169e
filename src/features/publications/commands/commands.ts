import { randomUUIDv7 } from 'node:crypto'
import type { Context } from '../../../context.ts'
import type { Tx } from '../../../database/connect.ts'
import type { Expected } from '../../../database/records.ts'
import { type FieldError, PreconditionFailed } from '../../../errors.ts'
import { isObject } from '../../../objects.ts'
import type { Actor } from '../../access/authenticate.ts'
import { requireSight } from '../sight.ts'
import { lockPublication, type Stored } from '../store/load.ts'
import { structureFor } from '../structure.ts'
import type { Publication, PublicationRow } from '../table.ts'
import type { Applied, Input } from './applied.ts'
import { applyChanges } from './apply.ts'
import { writeApplied } from './write.ts'

/** How a body arrived: as a form or not, and what its schema has already found wrong. */
export type Arrived = { isForm: boolean; faults: FieldError[] }

/** What another generation makes of a write besides its body. */
type Adapted = { label?: string | undefined; adapt?(applied: Applied): void }

export const createPublication = async (
  context: Context,
  tx: Tx,
  actor: Actor,
  body: Input,
  {
    isForm = false,
    faults = [],
    id = randomUUIDv7(),
    label,
    adapt,
  }: Partial<Arrived> & Adapted & { id?: string } = {},
): Promise<PublicationRow> => {
  const now = new Date()
  const structure = await structureFor(context, actor.environment_id, body)
  const applied = applyChanges(emptyPublication(actor, id, now), body, {
    environment: actor.environment,
    structure,
    isForm,
    now,
    label,
  })
  adapt?.(applied)
  applied.faults.unshift(...faults)
  return writeApplied(tx, null, applied, { actor, structure, now, event: 'created' })
}

const emptyPublication = (actor: Actor, id: string, now: Date): Publication => ({
  id,
  // Whatever a caller writes there: in this generation it is always this.
  label: 'Publication',
  model_id: null,
  channel_ids: [],
  container_ids: [],
  shared: {},
  locales: {},
  version: 0,
  created_on: now,
  changed_on: null,
  created_by: actor.user_id,
  updated_by: null,
})

/** `stored`: the publication, where the transaction has locked and loaded it already. */
type Change = Partial<Arrived> &
  Adapted & {
    expected?: Expected
    bulkOperationId?: string
    stored?: Stored | undefined
  }

export const changePublication = async (
  context: Context,
  tx: Tx,
  actor: Actor,
  id: string,
  body: Input,
  { expected, isForm = false, faults = [], bulkOperationId, label, adapt, ...given }: Change = {},
): Promise<PublicationRow> => {
  const stored = given.stored ?? (await lockPublication(tx, actor.environment_id, id))
  requireSight(actor, stored.row)
  // Behind the lock: whoever waited for a model's publications to be indexed anew must not index by the old model.
  const named = { model: { id: stored.publication.model_id }, ...body }
  const structure = await structureFor(context, actor.environment_id, named)
  const now = new Date()
  requireVersion(stored.publication, body, expected)
  const applied = applyChanges(stored.publication, body, {
    environment: actor.environment,
    structure,
    isForm,
    now,
    label,
  })
  adapt?.(applied)
  applied.faults.unshift(...faults)
  const saving = {
    actor,
    structure,
    now,
    event: 'changed' as const,
    bulkOperationId: bulkOperationId ?? null,
  }
  return writeApplied(tx, stored, applied, saving)
}

/**
 * A locale keeps the version of the record at its last change. A write of one locale therefore clashes only with
 * those that changed this locale since, and any other with whatever changed.
 */
const requireVersion = (publication: Publication, body: Input, expected: Expected): void => {
  if (expected === undefined || expected === publication.version) return
  const [locale, ...others] = localesOf(body)
  const one =
    locale !== undefined && others.length === 0 && !Object.keys(body).some((name) => ofRecord.has(name))
  const last = one ? (publication.locales[locale]?.version ?? 0) : publication.version
  if (last > expected || expected > publication.version)
    throw new PreconditionFailed(`Publication ${publication.id} has version ${publication.version}`)
}

const ofRecord = new Set(['model', 'channels', 'containers'])
const ofLocale = ['items', 'slug', 'status', 'publish_on', 'expire_on', 'assigned_to']

/** Every locale that a body speaks of. */
const localesOf = (body: Input): string[] => [
  ...new Set([
    ...(Array.isArray(body.locales) ? body.locales.filter((locale) => typeof locale === 'string') : []),
    ...ofLocale.flatMap((name) => (isObject(body[name]) ? Object.keys(body[name]) : [])),
  ]),
]
