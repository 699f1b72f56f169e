import { Popover, UnstyledButton } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { useState } from 'react'
import { t } from '../../texts/index.ts'
import classes from './FilterBar.module.css'
import { FilterForm } from './FilterForm.tsx'
import { type Filter, takesMany } from './filter.ts'
import { operatorText, useValueText } from './words.ts'

type Props = { filter: Filter; opened?: boolean; onChange: (next: Filter) => void; onRemove: () => void }

/** One filter; a click opens what it is made of. */
export const FilterChip = ({ filter, opened = false, onChange, onRemove }: Props) => {
  const [open, setOpen] = useState(opened)
  const { field, operator, value } = filter
  const shown = useValueText(filter)
  const close = () => {
    setOpen(false)
    if (value === '') onRemove()
  }
  const finish = (next: Filter) => {
    if (!takesMany(next.operator)) setOpen(false)
    if (next.value === '') onRemove()
    else onChange(next)
  }
  return (
    <span className={classes.chip}>
      <Popover
        opened={open}
        onChange={(next) => (next ? setOpen(true) : close())}
        position="bottom-start"
        trapFocus
      >
        <Popover.Target>
          <UnstyledButton className={`${classes.text} ellipsis`} onClick={() => setOpen((before) => !before)}>
            {field.title} {operatorText(field, operator)} <b>{shown}</b>
          </UnstyledButton>
        </Popover.Target>
        <Popover.Dropdown p="sm" w={280}>
          <FilterForm filter={filter} onChange={finish} onDone={close} />
        </Popover.Dropdown>
      </Popover>
      <UnstyledButton
        className={classes.remove}
        onClick={onRemove}
        aria-label={t.filters.remove(field.title)}
      >
        <IconX size={12} aria-hidden />
      </UnstyledButton>
    </span>
  )
}
