import {
  type CollisionDetection,
  closestCenter,
  DndContext,
  type DragEndEvent,
  DragOverlay,
  KeyboardSensor,
  PointerSensor,
  pointerWithin,
  useSensor,
  useSensors,
} from '@dnd-kit/core'
import { arrayMove, sortableKeyboardCoordinates } from '@dnd-kit/sortable'
import { Checkbox, Group, Stack, Text, Textarea, TextInput, Title } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useIsSmall } from '../../components/small.ts'
import { toast } from '../../components/toast.tsx'
import { t } from '../../texts/index.ts'
import { FieldList } from './FieldList.tsx'
import { type Field, type FieldLabel, freeName, newField, titleOfField } from './field-rules.ts'
import classes from './Models.module.css'
import { KindName, labelIn, TypePalette } from './TypePalette.tsx'
import type { Model } from './use-model.ts'

type Props = {
  model: Model
  editable: boolean
  faults: Record<string, string>
  wrong: ReadonlySet<number>
  openKey: string | undefined
  onChange: (changes: Partial<Model>) => void
  onOpen: (key: string) => void
  notices: ReactNode
}

/** A kind goes where the pointer is; a field to the nearest place. */
const collide: CollisionDetection = (found) => {
  if (!labelIn(found.active.id)) return closestCenter(found)
  const within = pointerWithin(found)
  const rows = within.filter(({ id }) => id !== 'list')
  return rows.length > 0 ? rows : within
}

/** The model's own properties and its fields, with the kinds of fields beside them where there is room. */
export const ModelFields = ({ model, editable, onChange, onOpen, ...props }: Props) => {
  const small = useIsSmall('wide')
  const sensors = useSensors(
    useSensor(PointerSensor, { activationConstraint: { distance: 6 } }),
    useSensor(KeyboardSensor, { coordinateGetter: sortableKeyboardCoordinates }),
  )
  const [dragged, setDragged] = useState<FieldLabel>()
  const { fields } = model
  const put = (next: Field[]) => onChange({ fields: next })
  const add = (label: FieldLabel, at = fields.length) => {
    const isFirst = fields.length === 0 && label === 'Text'
    const field = newField(label, isFirst ? t.models.field.title : t.models.types[label][0], fields)
    put(fields.toSpliced(at, 0, isFirst ? { ...field, api_id: 'title', required: true } : field))
    onOpen(field.key)
  }
  const indexOf = (key: unknown) => fields.findIndex((field) => field.key === key)
  const drop = ({ active, over }: DragEndEvent) => {
    setDragged(undefined)
    const label = labelIn(active.id)
    if (!over) return
    if (label) return add(label, over.id === 'list' ? fields.length : indexOf(over.id))
    const [from, to] = [indexOf(active.id), indexOf(over.id)]
    if (to >= 0 && from !== to) put(arrayMove(fields, from, to))
  }
  const nameOf = (key: unknown) => {
    const field = fields[indexOf(key)]
    return field ? titleOfField(field) : ''
  }
  const place = (key: unknown) => t.models.place(indexOf(key) + 1, fields.length)
  return (
    <DndContext
      sensors={sensors}
      collisionDetection={collide}
      onDragStart={({ active }) => setDragged(labelIn(active.id))}
      onDragCancel={() => setDragged(undefined)}
      onDragEnd={drop}
      accessibility={{
        screenReaderInstructions: { draggable: t.models.listHint },
        announcements: {
          onDragStart: ({ active }) => nameOf(active.id),
          onDragOver: ({ active, over }) => `${nameOf(active.id)}: ${place(over?.id)}`,
          onDragEnd: ({ active, over }) => `${nameOf(active.id)}: ${place(over?.id)}`,
          onDragCancel: ({ active }) => `${nameOf(active.id)}: ${place(active.id)}`,
        },
      }}
    >
      {editable && !small && <TypePalette add={add} />}
      <div className={classes.centre}>
        <div className={classes.column}>
          <ModelHead model={model} editable={editable} faults={props.faults} onChange={onChange} />
          {props.notices}
          <Group justify="space-between" mt="xl" mb="sm" align="baseline">
            <Title order={2} size="h3">
              {t.models.fields}
            </Title>
            {editable && fields.length > 1 && (
              <Text size="xs" c="dimmed" visibleFrom="sm">
                {t.models.listHint}
              </Text>
            )}
          </Group>
          <FieldList
            fields={fields}
            openKey={props.openKey}
            faults={props.wrong}
            editable={editable}
            add={add}
            open={({ key }) => onOpen(key)}
            move={(field, step) => {
              const at = fields.indexOf(field)
              put(arrayMove(fields, at, Math.max(0, Math.min(fields.length - 1, at + step))))
            }}
            duplicate={(field) => {
              const { savedAs: _savedAs, ...copy } = field
              const made = { ...copy, key: crypto.randomUUID(), api_id: freeName(field.api_id, fields) }
              put(fields.toSpliced(fields.indexOf(field) + 1, 0, made))
              onOpen(made.key)
            }}
            remove={(field) => {
              put(fields.filter((other) => other !== field))
              toast(t.models.fieldRemoved(titleOfField(field)), () => put(fields))
            }}
          />
        </div>
      </div>
      <DragOverlay dropAnimation={null}>
        {dragged && (
          <div className={classes.dragged}>
            <KindName label={dragged} />
          </div>
        )}
      </DragOverlay>
    </DndContext>
  )
}

const ModelHead = ({
  model,
  editable,
  faults,
  onChange,
}: Pick<Props, 'model' | 'editable' | 'faults' | 'onChange'>) => (
  <Stack gap="md">
    <TextInput
      label={t.models.nameLabel}
      placeholder={t.models.namePlaceholder}
      required
      withAsterisk={false}
      readOnly={!editable}
      autoFocus={model.body === '' && model.fields.length === 0}
      maxLength={200}
      value={model.body}
      error={faults.body}
      onChange={(event) => onChange({ body: event.currentTarget.value })}
    />
    <Textarea
      label={t.models.description}
      autosize
      minRows={1}
      maxRows={5}
      maxLength={10_000}
      readOnly={!editable}
      value={model.description ?? ''}
      error={faults.description}
      onChange={(event) => onChange({ description: event.currentTarget.value })}
    />
    <Group gap="xl">
      <Checkbox
        label={t.models.channels}
        disabled={!editable}
        checked={model.channels}
        onChange={(event) => onChange({ channels: event.currentTarget.checked })}
      />
      <Checkbox
        label={t.models.stories}
        disabled={!editable}
        checked={model.stories}
        onChange={(event) => onChange({ stories: event.currentTarget.checked })}
      />
    </Group>
  </Stack>
)
