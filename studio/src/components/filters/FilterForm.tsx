import { Button, NativeSelect, Stack, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { t } from '../../texts/index.ts'
import { formatSpan } from '../format.ts'
import { isoMoment, localMoment } from '../MomentInput.tsx'
import { ChoiceList } from './ChoiceList.tsx'
import { type Choice, type Filter, type FilterField, type Operator, takesMany } from './filter.ts'
import { operatorText } from './words.ts'

type Props = { filter: Filter; onChange: (next: Filter) => void; onDone: () => void }

const yesNo = () => [
  { value: 'true', label: t.common.yes },
  { value: 'false', label: t.common.no },
]

/** Operators of one kind take the same value. */
const kindOf = (operator: Operator): string =>
  takesMany(operator) ? 'many' : operator === 'has' || operator === 'il' ? operator : 'one'

const hour = 3600
const spans = [hour, 24 * hour, ...[7, 30, 90, 180, 365].map((days) => days * 24 * hour)]

/** What is ticked whatever the field: yes or no, and how long ago. */
const choicesFor = (field: FilterField, operator: Operator): Choice[] | undefined => {
  if (operator === 'has' || field.type === 'boolean') return yesNo()
  if (operator === 'il') return spans.map((span) => ({ value: String(span), label: formatSpan(span) }))
  return undefined
}

/** How the value of a filter is given: by ticking, or by typing what then is applied. */
export const FilterForm = ({ filter, onChange, onDone }: Props) => {
  const { field } = filter
  const [operator, setOperator] = useState(filter.operator)
  const change = (next: Operator) => {
    setOperator(next)
    if (kindOf(next) === kindOf(filter.operator) && filter.value !== '')
      onChange({ field, operator: next, value: filter.value })
  }
  const give = (value: string) => onChange({ field, operator, value })
  const choices = choicesFor(field, operator)
  const isTicked = choices !== undefined || field.type === 'choice'
  return (
    <Stack gap="sm">
      {field.operators.length > 1 && (
        <NativeSelect
          size="xs"
          aria-label={field.title}
          value={operator}
          onChange={(event) => change(event.currentTarget.value as Operator)}
          data={field.operators.map((one) => ({ value: one, label: operatorText(field, one) }))}
        />
      )}
      {isTicked ? (
        <ChoiceList
          field={choices ? { ...field, choices, find: undefined } : field}
          many={takesMany(operator)}
          value={operator === filter.operator ? filter.value : ''}
          onChange={give}
          onDone={onDone}
        />
      ) : (
        <TypedValue
          type={field.type}
          value={kindOf(operator) === kindOf(filter.operator) ? filter.value : ''}
          onChange={give}
        />
      )}
    </Stack>
  )
}

type Typed = { type: string; value: string; onChange: (value: string) => void }

const inputs: Record<string, string> = { date: 'datetime-local', number: 'number' }

const TypedValue = ({ type, value, onChange }: Typed) => {
  const [typed, setTyped] = useState(type === 'date' ? localMoment(value) : value)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onChange(type === 'date' ? (isoMoment(typed) ?? '') : typed.trim())
  }
  return (
    <form onSubmit={submit}>
      <TextInput
        size="xs"
        aria-label={t.filters.value}
        type={inputs[type] ?? 'text'}
        step="any"
        data-autofocus
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      <Button type="submit" size="xs" mt="sm" fullWidth>
        {t.actions.apply}
      </Button>
    </form>
  )
}
