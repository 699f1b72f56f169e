import type { FieldError } from '../../../errors.ts'
import type { FieldLabel } from '../../models/table.ts'
import type { StoredValue } from '../table.ts'
import type { Named } from './names.ts'

export type Sent = Record<string, unknown>

/** What a value says, without the stamps that the store gives it; `id` where one was sent to tell which it was. */
export type Content = { label: FieldLabel; [property: string]: unknown }

/** Where in the request something is read, and what is noted there. */
export type Place = {
  path: string
  isForm: boolean
  faults: FieldError[]
  names: Named[]
  /** The value that it will take the place of, if that is of the same type. */
  before: StoredValue | undefined
  /** How many ElementBoxes it stands in. */
  depth: number
  /** How many tags and entities there may still be. */
  marks: { left: number }
  /** Ids of the models that references may lead to. */
  models: string[] | undefined
  readElement(sent: unknown, place: Place): Content | undefined
}

export const inside = (place: Place, name: string | number): Place => ({
  ...place,
  path: `${place.path}.${name}`,
})

export const fault = ({ faults, path }: Place, message: string): undefined => {
  faults.push({ path, message })
}
