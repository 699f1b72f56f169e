import { useQuery } from '@tanstack/react-query'
import { t } from '../../texts/index.ts'
import { formatSpan, formatTime } from '../format.ts'
import { type Filter, type FilterField, type Operator, takesMany } from './filter.ts'

/** Numbers are less or more where moments are before or after. */
export const operatorText = (field: FilterField, operator: Operator): string =>
  field.words?.[operator] ??
  (field.type === 'number' && operator in t.filters.numbers
    ? t.filters.numbers[operator as keyof typeof t.filters.numbers]
    : t.filters.operators[operator])

/** The values of a filter in words; ids become names as soon as they are known. */
export const useValueText = ({ field, operator, value }: Filter): string => {
  const values = takesMany(operator) ? value.split(',').filter(Boolean) : [value]
  const unknown = values.filter((one) => one !== '' && !wordFor(field, one))
  const { data = [] } = useQuery({
    queryKey: ['choices', field.name, ...(field.named ? [unknown] : [])],
    queryFn: () => (field.named ? field.named(unknown) : field.find!('')),
    enabled: (field.named ?? field.find) !== undefined && operator !== 'has' && unknown.length > 0,
    staleTime: 60_000,
  })
  if (value === '') return '…'
  const words = values.map(
    (one) =>
      wordFor(field, one) ??
      data.find((choice) => choice.value === one)?.label ??
      plain(field, operator, one),
  )
  return words.length > 2 ? `${words.slice(0, 2).join(', ')} +${words.length - 2}` : words.join(', ')
}

const wordFor = (field: FilterField, value: string): string | undefined =>
  field.labelOf?.(value) ?? field.choices?.find((choice) => choice.value === value)?.label

const plain = (field: FilterField, operator: Operator, value: string): string => {
  if (value === 'true') return t.common.yes
  if (value === 'false') return t.common.no
  if (operator === 'il') return formatSpan(Number(value))
  return field.type === 'date' ? formatTime(value) : value
}
