import { parseMoment } from '../../../database/values.ts'
import { compilePattern } from '../../models/pattern.ts'
import type { ModelField, Validations } from '../../models/table.ts'
import { type Content, fault, inside, type Place } from './place.ts'
import { isFilled } from './text.ts'
import { fieldTypes, plainBody } from './types.ts'

/** What the model wants of a value that is filled. */
export const checkValidations = ({ validations }: ModelField, content: Content, place: Place): void => {
  if (!isFilled(content)) return
  if (Array.isArray(content.items)) checkItems(validations, content.items, inside(place, 'items'))
  else checkMain(validations, content, place)
}

const checkMain = (validations: Validations, content: Content, place: Place): void => {
  const { main = 'value', choice = main, numbers } = fieldTypes[content.label]
  const at = inside(place, main)
  const text = content.label === 'Text' ? plainBody(content) : content[main]
  if (typeof text === 'string') checkText(validations, text, at)
  for (const number of numbers?.(content) ?? []) if (number !== null) checkBounds(validations, number, at)
  const chosen = choice === main ? text : content[choice]
  if (validations.values && !validations.values.some((value) => comparable(value) === comparable(chosen)))
    fault(inside(place, choice), `must be one of ${validations.values.join(', ')}`)
}

/** Colours are the same in capitals. */
const comparable = (value: unknown): unknown =>
  typeof value === 'string' && /^#?[0-9a-f]{3,8}$/i.test(value) ? value.replace('#', '').toLowerCase() : value

const checkItems = ({ min_items, max_items }: Validations, items: unknown[], place: Place): void => {
  if (min_items !== undefined && items.length < min_items)
    fault(place, `must hold at least ${min_items} items`)
  if (max_items !== undefined && items.length > max_items)
    fault(place, `must hold at most ${max_items} items`)
}

const checkBounds = ({ min, max }: Validations, number: number, place: Place): void => {
  if (min !== undefined && number < secondsOf(min, 'from')) fault(place, `must be at least ${min}`)
  if (max !== undefined && number > secondsOf(max, 'until')) fault(place, `must be at most ${max}`)
}

/** A bound of moments is as wide as it is written: a day as `max` holds all of that day. */
const secondsOf = (bound: number | string, end: 'from' | 'until'): number => {
  if (typeof bound === 'number') return bound
  const moment = parseMoment(bound)
  return moment ? (moment[end].getTime() - (end === 'until' ? 1 : 0)) / 1000 : Number.NaN
}

const checkText = ({ min_length, max_length, pattern }: Validations, text: string, place: Place): void => {
  const length = min_length === undefined && max_length === undefined ? 0 : [...text].length
  if (min_length !== undefined && length < min_length)
    fault(place, `must be at least ${min_length} characters long`)
  if (max_length !== undefined && length > max_length)
    fault(place, `must be at most ${max_length} characters long`)
  if (pattern !== undefined && compilePattern(pattern)?.test(text) === false)
    fault(place, `must match the pattern ${pattern}`)
}
