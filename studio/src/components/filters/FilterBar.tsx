import { Button } from '@mantine/core'
import { IconFilter } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import type { Change } from '../../address.ts'
import { t } from '../../texts/index.ts'
import { FieldMenu } from './FieldMenu.tsx'
import classes from './FilterBar.module.css'
import { FilterChip } from './FilterChip.tsx'
import { type FilterField, filtersIn, nameOf, takesMany } from './filter.ts'

type Props = {
  fields: FilterField[]
  address: Record<string, string>
  change: Change
  /** In front, such as a field to search in. */
  children?: ReactNode
}

/** Filters by clicking. They stand in the address and are what the list is asked for. */
export const FilterBar = ({ fields, address, change, children }: Props) => {
  const filters = filtersIn(address, fields)
  const [begun, setBegun] = useState<FilterField>()
  /** Several values are ticked one after the other, so a filter that takes many stays open. */
  const [ticking, setTicking] = useState<string>()
  const clear = () => change(Object.fromEntries(filters.map((filter) => [nameOf(filter), undefined])))
  return (
    <div className={classes.bar}>
      {children}
      {filters.map((filter) => (
        <FilterChip
          key={nameOf(filter)}
          filter={filter}
          opened={nameOf(filter) === ticking}
          onChange={(next) => {
            setTicking(takesMany(next.operator) ? nameOf(next) : undefined)
            change({ [nameOf(filter)]: undefined, [nameOf(next)]: next.value })
          }}
          onRemove={() => change({ [nameOf(filter)]: undefined })}
        />
      ))}
      {begun && (
        <FilterChip
          key={`new ${begun.name}`}
          filter={{ field: begun, operator: begun.operators[0]!, value: '' }}
          opened
          onChange={(next) => {
            setBegun(undefined)
            setTicking(takesMany(next.operator) ? nameOf(next) : undefined)
            change({ [nameOf(next)]: next.value })
          }}
          onRemove={() => setBegun(undefined)}
        />
      )}
      <FieldMenu fields={fields} onChoose={setBegun}>
        <Button variant="default" size="compact-sm" leftSection={<IconFilter size={14} aria-hidden />}>
          {t.filters.add}
        </Button>
      </FieldMenu>
      {filters.length > 1 && (
        <Button variant="subtle" color="gray" size="compact-sm" onClick={clear}>
          {t.filters.clear}
        </Button>
      )}
    </div>
  )
}
