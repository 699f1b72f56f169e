import { sql } from 'kysely'
import type { Db, Tx } from '../../database/connect.ts'
import type { Writer } from '../../database/records.ts'
import { type FieldError, Invalid } from '../../errors.ts'
import { isObject } from '../../objects.ts'
import { readDefault } from './defaults.ts'
import { labelOf, rulesOf } from './labels.ts'
import type { FieldLabel, ModelField } from './table.ts'
import { readValidations } from './validations.ts'

type Sent = Record<string, unknown>
type Read = { fields: ModelField[]; faults: FieldError[] }

/** The fields as they are stored, or every fault; `id` is of the model that has some already. */
export const takeFields = async (
  tx: Tx,
  writer: Writer,
  sent: unknown,
  id?: string,
): Promise<ModelField[]> => {
  const { fields, faults } = readModelFields(sent)
  const all = [...faults, ...(await strangeModels(tx, writer, sent, id))]
  if (all.length > 0) throw new Invalid(all)
  return fields
}

/** The faults alone, also of a body that the schema refuses. */
export const faultsOfFields = async (
  db: Db,
  writer: Writer,
  body: unknown,
  id?: string,
): Promise<FieldError[]> => {
  const sent = isObject(body) ? body.fields : undefined
  return [...readModelFields(sent).faults, ...(await strangeModels(db, writer, sent, id))]
}

/** What is not of the right type is left to the schema, so that no fault is told twice. */
const readModelFields = (sent: unknown): Read => {
  const faults: FieldError[] = []
  const seen = new Set<unknown>()
  const fields = listed(sent).flatMap(([field, path]) => {
    faults.push(...nameFaults(field.api_id, seen, `${path}.api_id`))
    const label = labelOf(field.label)
    return label ? [readField(field, label, path, faults)] : []
  })
  return { fields, faults }
}

const listed = (sent: unknown): [Sent, string][] =>
  Array.isArray(sent)
    ? sent.flatMap((field, index) => (isObject(field) ? [[field, `fields.${index}`]] : []))
    : []

const nameFaults = (name: unknown, seen: Set<unknown>, path: string): FieldError[] => {
  if (typeof name !== 'string' || name.startsWith('_')) return []
  // `items` is keyed by these: what every JavaScript object has would look like a field that is filled.
  if (name in {} || name === 'prototype') return [{ path, message: 'cannot be a name' }]
  if (seen.has(name)) return [{ path, message: 'is the name of another field' }]
  seen.add(name)
  return []
}

const readField = (sent: Sent, label: FieldLabel, path: string, faults: FieldError[]): ModelField => {
  const { filterable } = rulesOf(label)
  const before = faults.length
  if (sent.filterable === true && !filterable)
    faults.push({ path: `${path}.filterable`, message: `is not possible for ${label}` })
  const field = {
    api_id: sent.api_id,
    label,
    title: sent.title ?? null,
    description: sent.description ?? null,
    required: sent.required ?? false,
    localized: sent.localized ?? true,
    filterable: sent.filterable ?? filterable === 'on',
    validations: readValidations(label, sent.validations, `${path}.validations`, faults),
    default: sent.default ?? null,
  } as ModelField
  // A default is held against the validations, which must be right for that.
  const isRight = faults.length === before && typeof field.api_id === 'string'
  return isRight ? { ...field, default: readDefault(field, `${path}.default`, faults) } : field
}

/**
 * Ids of `validations.models` that are no models of this environment. Those that stand there already may be of models
 * that were deleted since: what was read can be sent back.
 */
const strangeModels = async (
  db: Db | Tx,
  { environment_id }: Writer,
  sent: unknown,
  id: string | undefined,
): Promise<FieldError[]> => {
  const named = listed(sent).flatMap(([{ validations }, path]) => namedModels(validations, path))
  if (named.length === 0) return []
  const ids = [...new Set(named.map((model) => model.id))]
  const { rows } = await sql<{ id: string }>`
    select id from publication_models where environment_id = ${environment_id} and id = any(${ids})
    union select jsonb_array_elements_text(field -> 'validations' -> 'models')
    from publication_models, jsonb_array_elements(fields) as field
    where environment_id = ${environment_id} and id = ${id ?? null}`.execute(db)
  const known = new Set(rows.map((row) => row.id))
  return named
    .filter((model) => !known.has(model.id))
    .map(({ path }) => ({ path, message: 'is not the id of a publication model' }))
}

const namedModels = (validations: unknown, path: string): { id: string; path: string }[] => {
  const models = isObject(validations) && Array.isArray(validations.models) ? validations.models : []
  const all = models.map((id, index) => ({ id, path: `${path}.validations.models.${index}` }))
  return all.filter(({ id }) => typeof id === 'string')
}
