import { ColorInput, NativeSelect, SegmentedControl, Textarea, TextInput } from '@mantine/core'
import { t } from '../../../texts/index.ts'
import type { InputProps } from './input.ts'
import { NumberField } from './NumberField.tsx'

const choices = ({ field }: InputProps): string[] => (field.validations?.values ?? []).map(String)

/** The only values that the model allows, as a list. */
const Choice = ({
  props,
  value,
  onPick,
}: {
  props: InputProps
  value: string
  onPick: (v: string) => void
}) => (
  <NativeSelect
    aria-label={props.name}
    disabled={props.disabled}
    error={props.error}
    value={value}
    data={[{ value: '', label: t.common.none }, ...choices(props)]}
    onChange={(event) => onPick(event.currentTarget.value)}
    maw={320}
  />
)

const Numeric = ({ props, whole }: { props: InputProps; whole: boolean }) => {
  const { value, onChange, field, name, disabled, error } = props
  const put = (number: number | null) =>
    onChange(number === null ? null : { label: field.label, value: number })
  const current = (value?.value ?? null) as number | null
  if (choices(props).length > 0)
    return (
      <Choice props={props} value={String(current ?? '')} onPick={(v) => put(v === '' ? null : Number(v))} />
    )
  return (
    <NumberField
      aria-label={name}
      disabled={disabled}
      error={error}
      whole={whole}
      value={current}
      onChange={put}
      maw={200}
    />
  )
}
export const IntegerInput = (props: InputProps) => <Numeric props={props} whole />
export const FloatInput = (props: InputProps) => <Numeric props={props} whole={false} />

/** Yes, no, or not said. */
export const BooleanInput = ({ value, onChange, name, disabled }: InputProps) => (
  <SegmentedControl
    size="xs"
    aria-label={name}
    disabled={disabled}
    value={value?.value === true ? 'yes' : value?.value === false ? 'no' : ''}
    data={[
      { value: 'yes', label: t.common.yes },
      { value: 'no', label: t.common.no },
      { value: '', label: t.editor.notSaid },
    ]}
    onChange={(chosen) => onChange(chosen === '' ? null : { label: 'Boolean', value: chosen === 'yes' })}
  />
)

const hex = /^#([0-9a-f]{3}|[0-9a-f]{6}|[0-9a-f]{8})$/i

export const ColorField = (props: InputProps) => {
  const { value, onChange, name, disabled, error } = props
  const body = (value?.body as string | null) ?? ''
  const put = (color: string) => onChange(color === '' ? null : { label: 'Color', body: color })
  if (choices(props).length > 0) return <Choice props={props} value={body} onPick={put} />
  return (
    <ColorInput
      aria-label={name}
      disabled={disabled}
      error={error}
      maw={200}
      value={body}
      placeholder="#1a2b3c"
      withEyeDropper={false}
      popoverProps={{ shadow: 'md' }}
      onChange={(color) => (color === '' || hex.test(color)) && put(color)}
    />
  )
}

export const StringInput = (props: InputProps) => {
  const { value, onChange, field, name, disabled, error } = props
  const put = (body: string) => onChange(body === '' ? null : { label: field.label, body })
  const body = (value?.body as string | null) ?? ''
  if (choices(props).length > 0) return <Choice props={props} value={body} onPick={put} />
  return (
    <TextInput
      aria-label={name}
      disabled={disabled}
      error={error}
      dir="auto"
      value={body}
      onChange={(event) => put(event.currentTarget.value)}
    />
  )
}

/** One on each line. */
export const StringsInput = ({ value, onChange, name, disabled, error }: InputProps) => (
  <Textarea
    aria-label={name}
    description={t.editor.onePerLine}
    disabled={disabled}
    error={error}
    autosize
    minRows={2}
    value={((value?.items as string[]) ?? []).join('\n')}
    onChange={(event) => {
      const text = event.currentTarget.value
      onChange(text === '' ? null : { label: 'Strings', items: text.split('\n') })
    }}
  />
)

/** A post elsewhere, by its address or its number there. */
export const PostInput = ({ value, onChange, field, name, disabled, error }: InputProps) => {
  const property = field.label === 'QuizPost' || field.label === 'BroadcasterPost' ? 'id' : 'url'
  const body = (value?.[property] as string | null) ?? ''
  return (
    <TextInput
      aria-label={name}
      disabled={disabled}
      error={error}
      type={property === 'url' ? 'url' : 'text'}
      placeholder={property === 'url' ? 'https://…' : t.editor.foreignId}
      value={body}
      onChange={({ currentTarget }) =>
        onChange(currentTarget.value === '' ? null : { label: field.label, [property]: currentTarget.value })
      }
    />
  )
}
