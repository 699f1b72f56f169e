import { ActionIcon, Button } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { t } from '../../../texts/index.ts'
import { isFilled, type Value } from '../saving/values.ts'
import classes from './Inputs.module.css'
import type { InputProps } from './input.ts'
import { PropertyInput } from './PropertyInput.tsx'
import { rowShapes, shapes } from './shapes.ts'

/** A value with several properties, side by side where there is room. */
export const ShapeInput = ({ value, onChange, field, name, disabled }: InputProps) => {
  const put = (property: string, inner: unknown) => {
    const next: Value = { ...value, label: field.label, [property]: inner }
    onChange(isFilled(next) ? next : null)
  }
  return (
    <div className={classes.shape}>
      {shapes[field.label]!.map((property) => (
        <div key={property.name} className={property.kind === 'long' ? classes.whole : undefined}>
          <PropertyInput
            property={property}
            of={name}
            disabled={disabled}
            value={value?.[property.name] ?? property.first}
            onChange={(inner) => put(property.name, inner)}
          />
        </div>
      ))}
    </div>
  )
}

type Row = Record<string, unknown>

/** A list of such values: opening hours, addresses, dates of an event. */
export const RowsInput = ({ value, onChange, field, name, disabled }: InputProps) => {
  const properties = rowShapes[field.label]!()
  const rows = (value?.items ?? []) as Row[]
  const put = (items: Row[]) => onChange(items.length === 0 ? null : { label: field.label, items })
  const add = () => {
    const last = rows.at(-1)
    const first = Object.fromEntries(properties.map((property) => [property.name, property.first ?? null]))
    // The day after is what most lists go on with.
    const next = field.label === 'BusinessHours' && last ? { ...last, ...dayAfter(last) } : first
    put([...rows, next])
  }
  return (
    <div>
      {rows.map((row, index) => (
        <div key={index} className={classes.row} role="group" aria-label={`${name} ${index + 1}`}>
          {properties.map((property) => (
            <div key={property.name} className={classes.cell}>
              <PropertyInput
                property={property}
                of={`${name} ${index + 1}`}
                disabled={disabled}
                value={row[property.name]}
                onChange={(inner) => put(rows.with(index, { ...row, [property.name]: inner }))}
              />
            </div>
          ))}
          <ActionIcon
            variant="subtle"
            color="gray"
            disabled={disabled}
            aria-label={t.editor.removeRow(name, index + 1)}
            onClick={() => put(rows.toSpliced(index, 1))}
          >
            <IconTrash size={16} aria-hidden />
          </ActionIcon>
        </div>
      ))}
      {!disabled && (
        <Button
          size="compact-sm"
          variant="default"
          leftSection={<IconPlus size={14} aria-hidden />}
          onClick={add}
        >
          {t.editor.addRow}
        </Button>
      )}
    </div>
  )
}

const dayAfter = ({ open_day, close_day }: Row): Row => ({
  open_day: (Number(open_day) + 1) % 7,
  close_day: (Number(close_day) + 1) % 7,
})
