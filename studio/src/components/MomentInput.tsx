import { TextInput, type TextInputProps } from '@mantine/core'
import { useEffect, useState } from 'react'

type Props = Omit<TextInputProps, 'value' | 'onChange' | 'type'> & {
  /** ISO 8601, or null. */
  value: string | null
  /** Told when the field is left or Enter is pressed. */
  onChange: (moment: string | null) => void
}

/** As the browser's field wants it: in the viewer's zone, without one. */
export const localMoment = (value: string | null): string => {
  if (!value || Number.isNaN(Date.parse(value))) return ''
  const date = new Date(value)
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}

export const isoMoment = (local: string): string | null =>
  local === '' ? null : new Date(local).toISOString()

/** A date with a time in the viewer's zone. */
export const MomentInput = ({ value, onChange, ...rest }: Props) => {
  const [typed, setTyped] = useState(localMoment(value))
  useEffect(() => setTyped(localMoment(value)), [value])
  const tell = () => {
    if (typed !== localMoment(value)) onChange(isoMoment(typed))
  }
  return (
    <TextInput
      {...rest}
      type="datetime-local"
      value={typed}
      onChange={(event) => setTyped(event.currentTarget.value)}
      onBlur={tell}
      onKeyDown={(event) => event.key === 'Enter' && tell()}
    />
  )
}
