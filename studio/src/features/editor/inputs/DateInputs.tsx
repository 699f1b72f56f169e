import { Group, NativeSelect, TextInput } from '@mantine/core'
import { useEffect, useState } from 'react'
import { t } from '../../../texts/index.ts'
import { isFilled, type Value } from '../saving/values.ts'
import type { InputProps } from './input.ts'
import { fromField, hasTime, isWritten, toField } from './patterns.ts'

const patterns = ['Y-m-d', 'Y-m-d H:i', 'Y-m-d H:m:s', 'd-m-Y', 'd/m/Y']

type DateProps = {
  label?: string
  name: string
  value: string
  pattern: string | null
  disabled: boolean
  error: boolean
  onChange: (value: string) => void
}

/** A date as its pattern writes it. What no field can show is typed. */
const DateField = ({ label, name, value, pattern, disabled, error, onChange }: DateProps) => {
  const plain = !isWritten(pattern) || (value !== '' && toField(value, pattern) === '')
  const shown = plain ? value : toField(value, pattern)
  const [typed, setTyped] = useState(shown)
  useEffect(() => setTyped(shown), [shown])
  return (
    <TextInput
      label={label}
      aria-label={name}
      size={label ? 'xs' : 'sm'}
      disabled={disabled}
      error={error}
      type={plain ? 'text' : hasTime(pattern) ? 'datetime-local' : 'date'}
      placeholder={pattern ?? undefined}
      value={typed}
      onChange={(event) => {
        const text = event.currentTarget.value
        setTyped(text)
        // A year that is being typed goes through 0002 and 0020.
        if (plain || text === '') onChange(text)
        else if (/^[1-9]\d{3}-/.test(text)) onChange(fromField(text, pattern))
      }}
    />
  )
}

type PatternProps = { name: string; pattern: string | null; disabled: boolean; onChange: (p: string) => void }

const PatternSelect = ({ name, pattern, disabled, onChange }: PatternProps) => (
  <NativeSelect
    size="xs"
    variant="unstyled"
    aria-label={t.editor.patternOf(name)}
    disabled={disabled}
    value={pattern ?? ''}
    data={[
      ...(pattern === null ? [{ value: '', label: 'ISO 8601' }] : []),
      ...new Set([...patterns, ...(pattern === null ? [] : [pattern])]),
    ]}
    onChange={(event) => onChange(event.currentTarget.value)}
  />
)

const patternOf = ({ value, field }: InputProps, fallback: string): string | null => {
  if (value) return (value.format as string | null | undefined) ?? null
  return (field.default as { format?: string } | null | undefined)?.format ?? fallback
}

/** The same date by another pattern. */
const rewrite = (written: unknown, from: string | null, to: string): string | null => {
  if (typeof written !== 'string' || written === '') return null
  const field = toField(written, from)
  return field === '' ? written : fromField(field, to)
}

export const DateTimeInput = (props: InputProps) => {
  const { value, onChange, name, disabled, error } = props
  const pattern = patternOf(props, 'Y-m-d')
  const [chosen, setChosen] = useState(pattern)
  const format = value ? pattern : chosen
  const body = (value?.body as string | null) ?? ''
  return (
    <Group gap="sm" align="center">
      <DateField
        name={name}
        value={body}
        pattern={format}
        disabled={disabled}
        error={error}
        onChange={(written) => onChange(written === '' ? null : { label: 'DateTime', body: written, format })}
      />
      <PatternSelect
        name={name}
        pattern={format}
        disabled={disabled}
        onChange={(next) => {
          setChosen(next)
          if (value) onChange({ label: 'DateTime', body: rewrite(body, format, next), format: next })
        }}
      />
    </Group>
  )
}

export const DateTimeRangeInput = (props: InputProps) => {
  const { value, onChange, name, disabled, error } = props
  const format = patternOf(props, 'Y-m-d H:m:s')
  const put = (side: 'from' | 'until', written: string) => {
    const next: Value = { ...value, label: 'DateTimeRange', format, [side]: written === '' ? null : written }
    onChange(isFilled(next) ? next : null)
  }
  return (
    <Group gap="sm" align="flex-end">
      {(['from', 'until'] as const).map((side) => (
        <DateField
          key={side}
          label={t.editor.properties[side]}
          name={`${name}: ${t.editor.properties[side]}`}
          value={(value?.[side] as string | null) ?? ''}
          pattern={format}
          disabled={disabled}
          error={error}
          onChange={(written) => put(side, written)}
        />
      ))}
    </Group>
  )
}
