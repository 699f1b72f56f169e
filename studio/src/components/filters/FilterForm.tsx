import { Button, NativeSelect, Stack, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { t } from '../../texts/index.ts'
import { isoMoment, localMoment } from '../MomentInput.tsx'
import { ChoiceList } from './ChoiceList.tsx'
import { type Filter, type Operator, takesMany } from './filter.ts'
import { operatorText } from './words.ts'

type Props = { filter: Filter; onChange: (next: Filter) => void; onDone: () => void }

const yesNo = () => [
  { value: 'true', label: t.common.yes },
  { value: 'false', label: t.common.no },
]

/** How the value of a filter is given: by ticking, or by typing what then is applied. */
export const FilterForm = ({ filter, onChange, onDone }: Props) => {
  const { field } = filter
  const [operator, setOperator] = useState(filter.operator)
  const change = (next: Operator) => {
    setOperator(next)
    const keeps =
      takesMany(next) === takesMany(filter.operator) && (next === 'has') === (filter.operator === 'has')
    if (keeps && filter.value !== '') onChange({ field, operator: next, value: filter.value })
  }
  const give = (value: string) => onChange({ field, operator, value })
  const isTicked = operator === 'has' || field.type === 'boolean' || field.type === 'choice'
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
          field={
            operator === 'has' || field.type === 'boolean'
              ? { ...field, choices: yesNo(), find: undefined }
              : field
          }
          many={takesMany(operator)}
          value={operator === filter.operator ? filter.value : ''}
          onChange={give}
          onDone={onDone}
        />
      ) : (
        <TypedValue type={operator === 'il' ? 'seconds' : field.type} value={filter.value} onChange={give} />
      )}
    </Stack>
  )
}

type Typed = { type: string; value: string; onChange: (value: string) => void }

const inputs: Record<string, string> = { date: 'datetime-local', number: 'number', seconds: 'number' }

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
