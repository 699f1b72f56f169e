import type { Field, Value } from '../saving/values.ts'

/** What every input of a field gets. */
export type InputProps = {
  value: Value | null
  onChange: (value: Value | null) => void
  field: Field
  locale: string
  /** How it is called to who does not see it: the name of the field and its language. */
  name: string
  isTitle?: boolean
  disabled: boolean
  error: boolean
}
