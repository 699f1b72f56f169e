import { NativeSelect, Text } from '@mantine/core'
import { memo, Suspense, useCallback } from 'react'
import { t } from '../../texts/index.ts'
import classes from './Editor.module.css'
import type { InputProps } from './inputs/input.ts'
import { inputs } from './inputs/inputs.ts'
import { itemKey } from './saving/keys.ts'
import { useFault, useStore, useValue } from './saving/store.ts'
import { type Field, firstFormat, nameOf, type Value } from './saving/values.ts'

type Props = { field: Field; locale: string; language: string; isTitle: boolean; disabled: boolean }

/** One field in one language. It renders when its own value changes and at no other time. */
export const FieldBlock = memo(({ field, locale, language, isTitle, disabled }: Props) => {
  const store = useStore()
  const key = itemKey(field, locale)
  const value = useValue<Value | null>(key) ?? null
  const fault = useFault(key)
  const change = useCallback((next: Value | null) => store.set(key, next), [store, key])
  const name = nameOf(field)
  const isShared = field.localized === false
  const told = isShared ? name : `${name} (${language})`
  const Input = inputs[field.label]
  if (!Input) return null
  const props: InputProps = {
    ...{ value, onChange: change, field, locale, isTitle, disabled },
    name: told,
    error: fault !== undefined,
  }
  return (
    <div className={classes.field} data-field={field.api_id}>
      <div className={classes.fieldHead}>
        <Text size="sm" fw={500} component="span">
          {name}
          {field.required && (
            <Text span c="dimmed" title={t.editor.required} aria-hidden>
              {' *'}
            </Text>
          )}
        </Text>
        {isShared && (
          <Text size="xs" c="dimmed" component="span">
            {t.editor.shared}
          </Text>
        )}
        {field.label === 'Text' && !field.validations?.values?.length && <FormatSelect {...props} />}
      </div>
      {field.description && (
        <Text size="xs" c="dimmed" mb={6}>
          {field.description}
        </Text>
      )}
      <Suspense fallback={<div className={classes.waiting} />}>
        <Input {...props} />
      </Suspense>
      {fault && (
        <Text size="xs" c="var(--mantine-color-error)" mt={4} role="alert">
          {t.editor.notTaken(fault)}
        </Text>
      )}
    </div>
  )
})

const formats = ['', 'H1', 'H2', 'H3', 'H4', 'H5', 'H6', 'CODE']

const FormatSelect = ({ value, onChange, field, isTitle = false, name, disabled }: InputProps) => {
  const format = value ? ((value.format as string | null) ?? null) : firstFormat(field, isTitle)
  const put = (next: string | null) => {
    const body = (value?.body as string | null) ?? ''
    onChange({ label: 'Text', body: reformatted(body, format, next), format: next })
  }
  return (
    <NativeSelect
      size="xs"
      variant="unstyled"
      className={classes.format}
      aria-label={t.editor.formatOf(name)}
      disabled={disabled}
      value={format ?? ''}
      data={formats.map((one) => ({ value: one, label: t.editor.formats[(one || 'rich') as 'rich'] }))}
      onChange={(event) => put(event.currentTarget.value || null)}
    />
  )
}

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }

/** Text stays text: marks of rich text are dropped in a heading, and a heading's signs are no marks in rich text. */
const reformatted = (body: string, from: string | null, to: string | null): string => {
  const isHtml = (format: string | null) => format === null || format === 'CODE'
  if (isHtml(from) === isHtml(to)) return body
  if (isHtml(to)) return body && `<p>${body.replace(/[&<>]/g, (sign) => escapes[sign]!)}</p>`
  return new DOMParser().parseFromString(body, 'text/html').body.textContent ?? ''
}
