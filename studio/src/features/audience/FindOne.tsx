import { Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Choice } from '../../components/filters/filter.ts'
import { t } from '../../texts/index.ts'

type Props = {
  label: string
  /** What the choices are kept under. */
  kind: string
  find: (typed: string) => Promise<Choice[]>
  value: Choice | null
  onChange: (choice: Choice | null) => void
  without?: string
}

/** One record among many, found by typing. */
export const FindOne = ({ label, kind, find, value, onChange, without }: Props) => {
  const [typed, setTyped] = useState('')
  const [words] = useDebouncedValue(typed === value?.label ? '' : typed.trim(), 150)
  const { data = [] } = useQuery({
    queryKey: ['choices', kind, words],
    queryFn: () => find(words),
    placeholderData: keepPreviousData,
    staleTime: 30_000,
  })
  const found = data.filter((choice) => choice.value !== without)
  const choices = value && !found.some((choice) => choice.value === value.value) ? [value, ...found] : found
  return (
    <Select
      size="xs"
      label={label}
      placeholder={t.filters.find}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': t.actions.clear }}
      data={choices}
      filter={({ options }) => options}
      searchValue={typed}
      onSearchChange={setTyped}
      value={value?.value ?? null}
      onChange={(id) => onChange(choices.find((choice) => choice.value === id) ?? null)}
      nothingFoundMessage={t.palette.nothing}
    />
  )
}
