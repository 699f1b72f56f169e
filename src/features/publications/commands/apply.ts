import { isObject } from '../../../objects.ts'
import type { ModelRow } from '../../models/table.ts'
import { isTouched, itemsOf } from '../compare.ts'
import { missingFields } from '../fields/required.ts'
import { textOf } from '../fields/text.ts'
import { canBeLinked } from '../linked.ts'
import type { Publication } from '../table.ts'
import type { Applied, Applying, Input, Writing } from './applied.ts'
import { applyItems } from './apply-items.ts'
import { applyLocales } from './apply-locales.ts'
import { readReferences } from './references.ts'

/**
 * Works out what a write makes of a publication. Nothing is stored or looked up, and what the schema has already
 * refused is passed over, so that everything wrong with a body can be told at once.
 */
export const applyChanges = (before: Publication, body: Input, writing: Writing): Applied => {
  const after = copyOf(before)
  const applied: Applied = {
    after,
    faults: [],
    names: [],
    placed: [],
    users: [],
    channels: [],
    containers: [],
    slugs: {},
  }
  after.label = writing.label ?? before.label
  const model = applyModel(applied, body, writing)
  const context = { ...writing, model, before, body }
  const emptied = applyItems(applied, context)
  applyLocales(applied, context)
  applyLinks(applied, context)
  link(after, before, body, emptied, model)
  requireFields(applied, before, model, writing)
  return applied
}

/** Locales are copied, values are shared: a value that stays the same stays the same object. */
export const copyOf = (publication: Publication): Publication => ({
  ...publication,
  shared: { ...publication.shared },
  locales: Object.fromEntries(
    Object.entries(publication.locales).map(([locale, state]) => [
      locale,
      { ...state, items: { ...state.items } },
    ]),
  ),
})

const applyModel = (
  { after, faults }: Applied,
  { model }: Input,
  { structure }: Writing,
): ModelRow | null => {
  if (model !== undefined) after.model_id = isObject(model) ? String(model.id) : null
  if (after.model_id === null) return null
  const found = structure.models.get(after.model_id) ?? null
  if (!found) faults.push({ path: 'model.id', message: 'is not a publication model of this environment' })
  return found
}

const applyLinks = (applied: Applied, { body, model, before }: Applying): void => {
  const { after, faults } = applied
  if (body.channels !== undefined) {
    applied.channels = readReferences(body.channels, 'channels')
    after.channel_ids = [...new Set(applied.channels.map(({ id }) => id))]
  }
  if (body.containers !== undefined) {
    applied.containers = readReferences(body.containers, 'containers')
    after.container_ids = [...new Set(applied.containers.map(({ id }) => id))]
  }
  const moved = body.model !== undefined && after.model_id !== before.model_id
  const touches = (name: 'channels' | 'containers') => moved || body[name] !== undefined
  if (model && !model.channels && after.channel_ids.length > 0 && touches('channels'))
    faults.push({ path: 'channels', message: `the model ${model.body} has no channels` })
  if (model && !model.stories && after.container_ids.length > 0 && touches('containers'))
    faults.push({ path: 'containers', message: `the model ${model.body} has no containers` })
}

/** A locale is linked while it is wanted and a field of it, its own or one stored once, is filled. */
const link = (
  after: Publication,
  before: Publication,
  { locales, items }: Input,
  emptied: ReadonlySet<string>,
  model: ModelRow | null,
): void => {
  const named = new Set([
    ...(Array.isArray(locales) ? locales : []),
    ...(isObject(items) ? Object.keys(items) : []),
  ])
  for (const [locale, state] of Object.entries(after.locales)) {
    const wanted = (before.locales[locale]?.linked || named.has(locale)) && !emptied.has(locale)
    state.linked = wanted && canBeLinked(after, itemsOf(after, state))
    state.title = state.linked ? textOf(model, itemsOf(after, state)).title : null
  }
}

/** Required fields are wanted where a locale that the write touches is Done afterwards. */
const requireFields = (
  { after, faults }: Applied,
  before: Publication,
  model: ModelRow | null,
  { structure, isDraft }: Writing,
): void => {
  if (!model || isDraft) return
  const done = structure.findStatus({ body: 'Done' })?.id
  const moved = after.model_id !== before.model_id
  for (const [locale, state] of Object.entries(after.locales)) {
    const touched = moved || isTouched(after, before, locale)
    if (!state.linked || state.status_id !== done || !touched) continue
    for (const api_id of missingFields(model, itemsOf(after, state)))
      faults.push({ path: `items.${locale}.${api_id}`, message: 'is required where the status is Done' })
  }
}
