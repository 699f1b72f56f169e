import { Button, CloseButton, Text } from '@mantine/core'
import { Fragment, useState } from 'react'
import { bodyOf, conditionsOf } from '../../../components/filters/conditions.ts'
import { FieldMenu } from '../../../components/filters/FieldMenu.tsx'
import { FilterChip } from '../../../components/filters/FilterChip.tsx'
import { type Filter, type FilterField, takesMany } from '../../../components/filters/filter.ts'
import { t } from '../../../texts/index.ts'
import classes from './Rules.module.css'
import type { RuleLeaf } from './rules.ts'

type Props = {
  leaf: RuleLeaf
  /** All that can be shown, and those that are offered. */
  known: FilterField[]
  offered: FilterField[]
  /** Opens at once, because several values are being ticked. */
  ticking?: boolean
  addLabel?: string
  onChange: (leaf: RuleLeaf) => void
  onRemove: () => void
}

/** One filter of persons: conditions that hold together. */
export const LeafRow = ({
  leaf,
  known,
  offered,
  ticking,
  addLabel = t.audience.andToo,
  onChange,
  onRemove,
}: Props) => {
  const [begun, setBegun] = useState<FilterField>()
  const [added, setAdded] = useState<number>()
  const conditions = conditionsOf(leaf.filter, known)
  if (!conditions)
    return (
      <div className={classes.leaf}>
        <span className={classes.code}>{JSON.stringify(leaf.filter)}</span>
        <Text size="xs" c="dimmed">
          {t.audience.asWritten}
        </Text>
        <CloseButton size="xs" aria-label={t.audience.removeRule} onClick={onRemove} />
      </div>
    )
  const change = (next: Filter[]) =>
    next.length === 0 ? onRemove() : onChange({ ...leaf, filter: bodyOf(next) })
  return (
    <div className={classes.leaf}>
      {conditions.map((condition, index) => (
        <Fragment key={index}>
          {index > 0 && <span className={classes.joined}>{t.audience.and}</span>}
          <FilterChip
            filter={condition}
            opened={(ticking && index === 0) || index === added}
            onChange={(next) => change(conditions.with(index, next))}
            onRemove={() => change(conditions.toSpliced(index, 1))}
          />
        </Fragment>
      ))}
      {begun && (
        <FilterChip
          key={begun.name}
          filter={{ field: begun, operator: begun.operators[0]!, value: '' }}
          opened
          onChange={(next) => {
            setBegun(undefined)
            setAdded(takesMany(next.operator) ? conditions.length : undefined)
            change([...conditions, next])
          }}
          onRemove={() => setBegun(undefined)}
        />
      )}
      <FieldMenu fields={offered} onChoose={setBegun}>
        <Button variant={conditions.length === 0 ? 'default' : 'subtle'} color="gray" size="compact-xs">
          {addLabel}
        </Button>
      </FieldMenu>
    </div>
  )
}
