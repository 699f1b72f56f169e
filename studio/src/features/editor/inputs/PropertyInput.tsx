import { NativeSelect, Textarea, TextInput } from '@mantine/core'
import { MomentInput } from '../../../components/MomentInput.tsx'
import { t } from '../../../texts/index.ts'
import { NumberField } from './NumberField.tsx'
import type { Property } from './shapes.ts'

type Props = {
  property: Property
  value: unknown
  onChange: (value: unknown) => void
  disabled: boolean
  /** The field it is part of. */
  of: string
}

const nameOf = (name: string): string =>
  (t.editor.properties as Record<string, string>)[name] ?? name.replaceAll('_', ' ')

/** One property of a value, with its name above. */
export const PropertyInput = ({ property, value, onChange, disabled, of }: Props) => {
  const { name, kind, values = [] } = property
  const shared = {
    label: nameOf(name),
    'aria-label': `${of}: ${nameOf(name)}`,
    disabled,
    size: 'xs' as const,
  }
  const text = (value ?? '') as string
  const put = (typed: string) => onChange(typed === '' ? null : typed)
  if (kind === 'number' || kind === 'whole')
    return (
      <NumberField
        {...shared}
        whole={kind === 'whole'}
        value={(value ?? null) as number}
        onChange={onChange}
      />
    )
  if (kind === 'moment')
    return <MomentInput {...shared} value={(value ?? null) as string | null} onChange={onChange} />
  if (kind === 'choice') {
    const toValue = typeof property.first === 'number' ? Number : String
    return (
      <NativeSelect
        {...shared}
        value={String(value ?? property.first)}
        data={values}
        onChange={(event) => onChange(toValue(event.currentTarget.value))}
      />
    )
  }
  if (kind === 'long')
    return (
      <Textarea
        {...shared}
        dir="auto"
        autosize
        minRows={2}
        value={text}
        onChange={(event) => put(event.currentTarget.value)}
      />
    )
  return (
    <TextInput
      {...shared}
      dir={kind === 'text' ? 'auto' : undefined}
      type={kind === 'time' ? 'time' : kind === 'url' ? 'url' : 'text'}
      placeholder={kind === 'url' ? 'https://…' : undefined}
      value={text}
      onChange={(event) => put(event.currentTarget.value)}
    />
  )
}
