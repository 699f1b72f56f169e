import { TextInput, type TextInputProps } from '@mantine/core'
import { useEffect, useState } from 'react'
import { t } from '../../../texts/index.ts'

type Props = Omit<TextInputProps, 'value' | 'onChange' | 'error'> & {
  value: number | null
  onChange: (value: number | null) => void
  whole?: boolean
  error?: boolean
}

/** With a point or a comma; undefined where it is no number. */
const numberOf = (text: string, whole: boolean): number | null | undefined => {
  const trimmed = text.trim().replace(',', '.')
  if (trimmed === '') return null
  const number = Number(trimmed)
  return Number.isFinite(number) && (!whole || Number.isSafeInteger(number)) ? number : undefined
}

export const NumberField = ({ value, onChange, whole = false, error = false, ...rest }: Props) => {
  const [typed, setTyped] = useState(value === null ? '' : String(value))
  useEffect(() => {
    setTyped((before) => (numberOf(before, whole) === value ? before : value === null ? '' : String(value)))
  }, [value, whole])
  const wrong = numberOf(typed, whole) === undefined
  return (
    <TextInput
      {...rest}
      inputMode={whole ? 'numeric' : 'decimal'}
      className="figures"
      value={typed}
      error={wrong ? (whole ? t.editor.notWhole : t.editor.notNumber) : error}
      onChange={(event) => {
        setTyped(event.currentTarget.value)
        const number = numberOf(event.currentTarget.value, whole)
        if (number !== undefined) onChange(number)
      }}
    />
  )
}
