import { ColorInput, NumberInput, SegmentedControl, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { t } from '../../texts/index.ts'
import { type Field, fieldRules } from './field-rules.ts'
import classes from './Models.module.css'

type Props = { field: Field; faults: Record<string, string>; onChange: (value: unknown) => void }

const mainOf = (field: Field): unknown =>
  (field.default as Record<string, unknown> | null)?.[fieldRules[field.label].main ?? ''] ?? null

/** What a new publication begins with: an input that fits where one value says it, else JSON. */
export const DefaultValue = ({ field, faults, onChange }: Props) => {
  const { main } = fieldRules[field.label]
  const texts = t.models.field
  const error = Object.entries(faults).find(([path]) => path.startsWith('default'))?.[1]
  const value = mainOf(field)
  const isPlain =
    main !== undefined &&
    (field.default === null || Object.keys(field.default as object).every((name) => name === main))
  if (!isPlain) return <AsJson key={field.label} field={field} error={error} onChange={onChange} />
  const set = (next: unknown) => onChange(next === null || next === '' ? null : { [main]: next })
  const common = { label: texts.default, description: texts.defaultHint, error }
  if (field.label === 'Boolean')
    return (
      <Stack gap={4}>
        <Text size="sm" fw={500} id="default-of-field">
          {texts.default}
        </Text>
        <SegmentedControl
          aria-labelledby="default-of-field"
          size="xs"
          value={value === null ? '' : String(value)}
          onChange={(next) => set(next === '' ? null : next === 'true')}
          data={[
            { value: '', label: texts.noDefault },
            { value: 'true', label: t.common.yes },
            { value: 'false', label: t.common.no },
          ]}
        />
      </Stack>
    )
  if (field.label === 'Integer' || field.label === 'Float')
    return (
      <NumberInput
        {...common}
        hideControls
        allowDecimal={field.label === 'Float'}
        value={(value as number | null) ?? ''}
        onChange={set}
      />
    )
  if (field.label === 'Color')
    return <ColorInput {...common} format="hex" value={String(value ?? '')} onChange={set} />
  const Input = field.label === 'Text' ? Textarea : TextInput
  return (
    <Input {...common} value={String(value ?? '')} onChange={(event) => set(event.currentTarget.value)} />
  )
}

const AsJson = ({
  field,
  error,
  onChange,
}: {
  field: Field
  error: string | undefined
  onChange: (value: unknown) => void
}) => {
  const [typed, setTyped] = useState(field.default === null ? '' : JSON.stringify(field.default, null, 2))
  const [isWrong, setWrong] = useState(false)
  const take = (text: string) => {
    setTyped(text)
    try {
      onChange(text.trim() === '' ? null : JSON.parse(text))
      setWrong(false)
    } catch {
      setWrong(true)
    }
  }
  return (
    <Textarea
      label={t.models.field.default}
      description={`${t.models.field.defaultHint} ${t.models.field.defaultJson}`}
      className={classes.json}
      autosize
      minRows={2}
      maxRows={12}
      spellCheck={false}
      value={typed}
      error={isWrong ? t.models.field.badJson : error}
      onChange={(event) => take(event.currentTarget.value)}
    />
  )
}
