import { Button, Checkbox, Radio, ScrollArea, Stack, Text, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { t } from '../../texts/index.ts'
import type { Choice, FilterField } from './filter.ts'

type Props = {
  field: Omit<FilterField, 'find'> & { find?: FilterField['find'] | undefined }
  many: boolean
  value: string
  onChange: (value: string) => void
  onDone: () => void
}

/** Choices to tick; those of a long list are found by typing. */
export const ChoiceList = ({ field, many, value, onChange, onDone }: Props) => {
  const [typed, setTyped] = useState('')
  const [words] = useDebouncedValue(typed, 150)
  const { data = [] } = useQuery({
    queryKey: words ? ['choices', field.name, words] : ['choices', field.name],
    queryFn: () => field.find!(words),
    enabled: field.find !== undefined,
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  })
  const held = value.split(',').filter(Boolean)
  const choices = field.choices ?? data
  const shown = field.find ? choices : choices.filter(({ label }) => matches(label, typed))
  const toggle = (one: string) => {
    const next = held.includes(one) ? held.filter((other) => other !== one) : [...held, one]
    onChange(next.join())
  }
  const tick = ({ value: one, label }: Choice) =>
    many ? (
      <Checkbox key={one} size="xs" label={label} checked={held.includes(one)} onChange={() => toggle(one)} />
    ) : (
      <Radio key={one} size="xs" label={label} checked={value === one} onChange={() => onChange(one)} />
    )
  return (
    <>
      {(field.find || choices.length > 8) && (
        <TextInput
          size="xs"
          data-autofocus
          placeholder={t.filters.find}
          aria-label={t.filters.find}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
      )}
      <ScrollArea.Autosize mah={240}>
        <Stack gap={8} role="group" aria-label={field.title}>
          {shown.map(tick)}
          {shown.length === 0 && (
            <Text size="xs" c="dimmed">
              {t.palette.nothing}
            </Text>
          )}
        </Stack>
      </ScrollArea.Autosize>
      {many && (
        <Button size="xs" variant="default" onClick={onDone}>
          {t.actions.close}
        </Button>
      )}
    </>
  )
}

const matches = (label: string, typed: string): boolean => label.toLowerCase().includes(typed.toLowerCase())
