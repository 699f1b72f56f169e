import { useDraggable } from '@dnd-kit/core'
import { Text } from '@mantine/core'
import { t } from '../../texts/index.ts'
import { type FieldLabel, groups, labelsOf } from './field-rules.ts'
import { fieldIcons } from './icons.ts'
import classes from './Models.module.css'

export const dragIdOf = (label: FieldLabel): string => `kind:${label}`
export const labelIn = (dragId: string | number): FieldLabel | undefined =>
  /^kind:(.+)/.exec(String(dragId))?.[1] as FieldLabel | undefined

/** What can be dragged into the list; a click puts it at the end. */
export const TypePalette = ({ add }: { add: (label: FieldLabel) => void }) => (
  <nav className={classes.palette} aria-label={t.models.palette}>
    <Text size="xs" c="dimmed" mb="sm">
      {t.models.paletteHint}
    </Text>
    {groups.map((group) => (
      <section key={group}>
        <h2 className={classes.group}>{t.models.groups[group]}</h2>
        {labelsOf(group).map((label) => (
          <Kind key={label} label={label} add={add} />
        ))}
      </section>
    ))}
  </nav>
)

const Kind = ({ label, add }: { label: FieldLabel; add: (label: FieldLabel) => void }) => {
  // Only by pointer: keys press the button, which adds.
  const { listeners, setNodeRef } = useDraggable({ id: dragIdOf(label) })
  return (
    <button
      type="button"
      ref={setNodeRef}
      onPointerDown={(event) => listeners?.onPointerDown?.(event)}
      className={classes.kind}
      title={t.models.types[label][1]}
      onClick={() => add(label)}
    >
      <KindName label={label} />
    </button>
  )
}

export const KindName = ({ label }: { label: FieldLabel }) => {
  const Icon = fieldIcons[label]
  return (
    <>
      <Icon size={16} stroke={1.6} aria-hidden />
      {t.models.types[label][0]}
    </>
  )
}
