import { Button, NativeSelect, Text } from '@mantine/core'
import { useState } from 'react'
import { bodyOf } from '../../../components/filters/conditions.ts'
import { FieldMenu } from '../../../components/filters/FieldMenu.tsx'
import { FilterChip } from '../../../components/filters/FilterChip.tsx'
import { type Filter, type FilterField, takesMany } from '../../../components/filters/filter.ts'
import { t } from '../../../texts/index.ts'
import { LeafRow } from './LeafRow.tsx'
import classes from './Rules.module.css'
import { isGroup, maxDepth, newKey, type RuleGroup, type RuleNode } from './rules.ts'

type Props = {
  group: RuleGroup
  known: FilterField[]
  offered: FilterField[]
  onChange: (group: RuleGroup) => void
  depth?: number
  onRemove?: () => void
}

/** Rules that hold all together, or any of them; groups may stand inside. */
export const GroupBox = ({ group, known, offered, onChange, depth = 1, onRemove }: Props) => {
  const [begun, setBegun] = useState<FilterField>()
  const [ticking, setTicking] = useState<string>()
  const { items } = group
  const put = (node: RuleNode) =>
    onChange({ ...group, items: items.map((one) => (one.key === node.key ? node : one)) })
  const remove = (key: string) => onChange({ ...group, items: items.filter((one) => one.key !== key) })
  const add = (node: RuleNode) => onChange({ ...group, items: [...items, node] })
  const addRule = (filter: Filter) => {
    const key = newKey(group)
    setBegun(undefined)
    setTicking(takesMany(filter.operator) ? key : undefined)
    add({ key, filter: bodyOf([filter]) })
  }
  const shared = { known, offered }
  const word = group.match === 'all' ? t.audience.and : t.audience.or
  return (
    <div className={classes.group} role="group" aria-label={t.audience.rules}>
      <div className={classes.head}>
        <NativeSelect
          size="xs"
          aria-label={t.audience.match}
          value={group.match}
          onChange={(event) => onChange({ ...group, match: event.currentTarget.value as 'all' | 'any' })}
          data={[
            { value: 'all', label: t.audience.matchAll },
            { value: 'any', label: t.audience.matchAny },
          ]}
        />
        {onRemove && (
          <Button variant="subtle" color="gray" size="compact-xs" onClick={onRemove}>
            {t.audience.removeGroup}
          </Button>
        )}
      </div>
      {items.length === 0 && !begun && (
        <Text size="sm" c="dimmed">
          {depth === 1 ? t.audience.everybody : t.audience.emptyGroup}
        </Text>
      )}
      <ul className={classes.items}>
        {items.map((node, index) => (
          <li key={node.key} className={classes.item}>
            <span className={classes.word}>{index > 0 && word}</span>
            <div className={classes.what}>
              {isGroup(node) ? (
                <GroupBox
                  {...shared}
                  group={node}
                  depth={depth + 1}
                  onChange={put}
                  onRemove={() => remove(node.key)}
                />
              ) : (
                <LeafRow
                  {...shared}
                  leaf={node}
                  ticking={ticking === node.key}
                  onChange={put}
                  onRemove={() => remove(node.key)}
                />
              )}
            </div>
          </li>
        ))}
        {begun && (
          <li className={classes.item}>
            <span className={classes.word}>{items.length > 0 && word}</span>
            <FilterChip
              key={begun.name}
              filter={{ field: begun, operator: begun.operators[0]!, value: '' }}
              opened
              onChange={addRule}
              onRemove={() => setBegun(undefined)}
            />
          </li>
        )}
      </ul>
      <div className={classes.foot}>
        <FieldMenu fields={offered} onChoose={setBegun}>
          <Button variant="default" size="compact-sm">
            {t.audience.addRule}
          </Button>
        </FieldMenu>
        {depth < maxDepth && (
          <Button
            variant="default"
            size="compact-sm"
            onClick={() =>
              add({ key: newKey(group), match: group.match === 'all' ? 'any' : 'all', items: [] })
            }
          >
            {t.audience.addGroup}
          </Button>
        )}
      </div>
    </div>
  )
}
