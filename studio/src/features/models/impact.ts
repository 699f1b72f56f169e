import { t } from '../../texts/index.ts'
import { type Field, titleOfField, type Validations } from './field-rules.ts'
import type { Model } from './use-model.ts'

/** What saving means for publications that are there already, one sentence each. */
export const impactOf = (before: Model, after: Model): string[] => {
  const texts = t.models.impact
  const now = new Map(after.fields.flatMap((field) => (field.savedAs ? [[field.savedAs, field]] : [])))
  // A field that is added under the name and kind of one that was taken away has its values.
  const successor = (old: Field) =>
    now.get(old.api_id) ??
    after.fields.find(({ api_id, label }) => api_id === old.api_id && label === old.label)
  return [
    ...before.fields.flatMap((old) => {
      const field = successor(old)
      return field ? fieldImpact(old, field) : [texts.removed(titleOfField(old))]
    }),
    ...after.fields.flatMap((field) =>
      field.required && !before.fields.some((old) => successor(old) === field)
        ? [texts.required(titleOfField(field))]
        : [],
    ),
    ...(before.channels && !after.channels ? [texts.noChannels] : []),
    ...(before.stories && !after.stories ? [texts.noStories] : []),
  ]
}

const fieldImpact = (before: Field, after: Field): string[] => {
  const texts = t.models.impact
  const name = titleOfField(after)
  const kind = (field: Field) => t.models.types[field.label][0]
  return [
    before.api_id !== after.api_id && texts.renamed(before.api_id, after.api_id),
    before.label !== after.label && texts.retyped(name, kind(before), kind(after)),
    !before.required && after.required && texts.required(name),
    before.localized && !after.localized && texts.shared(name),
    !before.localized && after.localized && texts.localized(name),
    before.label === after.label && isNarrower(before.validations, after.validations) && texts.narrowed(name),
    before.filterable && !after.filterable && texts.hidden(name),
  ].filter((text) => text !== false)
}

const isNarrower = (before: Validations, after: Validations): boolean =>
  (Object.keys(after) as (keyof Validations)[]).some((name) => {
    const [old, now] = [before[name], after[name]]
    if (now === undefined || now === null) return false
    if (old === undefined || old === null) return true
    if (Array.isArray(old) && Array.isArray(now)) return old.some((value) => !now.includes(value as never))
    if (old === now) return false
    if (name === 'pattern') return true
    return name.startsWith('min') ? now > old : now < old
  })
