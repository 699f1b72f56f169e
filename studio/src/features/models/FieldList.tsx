import { useDroppable } from '@dnd-kit/core'
import { SortableContext, useSortable, verticalListSortingStrategy } from '@dnd-kit/sortable'
import { CSS } from '@dnd-kit/utilities'
import { ActionIcon, Button, Menu, Text, UnstyledButton } from '@mantine/core'
import { IconDots, IconGripVertical, IconPlus } from '@tabler/icons-react'
import { EmptyState } from '../../components/EmptyState.tsx'
import { t } from '../../texts/index.ts'
import { type Field, type FieldLabel, groups, labelsOf, titleField, titleOfField } from './field-rules.ts'
import { fieldIcons } from './icons.ts'
import classes from './Models.module.css'

type Actions = {
  open: (field: Field) => void
  move: (field: Field, step: number) => void
  duplicate: (field: Field) => void
  remove: (field: Field) => void
}
type Props = Actions & {
  fields: Field[]
  openKey: string | undefined
  faults: ReadonlySet<number>
  editable: boolean
  add: (label: FieldLabel) => void
}

/** The fields in the order of the editor; kinds of fields can be dropped between them. */
export const FieldList = ({ fields, openKey, faults, editable, add, ...actions }: Props) => {
  const { setNodeRef } = useDroppable({ id: 'list' })
  const title = titleField(fields)
  return (
    <div ref={setNodeRef} className={classes.list}>
      {fields.length === 0 && <EmptyState title={t.models.noFields} hint={t.models.noFieldsHint} />}
      <SortableContext items={fields.map(({ key }) => key)} strategy={verticalListSortingStrategy}>
        <ul className={classes.fields} aria-label={t.models.fields}>
          {fields.map((field, index) => (
            <FieldRow
              key={field.key}
              field={field}
              isOpen={field.key === openKey}
              isWrong={faults.has(index)}
              isTitle={field === title}
              editable={editable}
              {...actions}
            />
          ))}
        </ul>
      </SortableContext>
      {editable && <AddField add={add} />}
    </div>
  )
}

type RowProps = Actions & {
  field: Field
  isOpen: boolean
  isWrong: boolean
  isTitle: boolean
  editable: boolean
}

const FieldRow = ({ field, isOpen, isWrong, isTitle, editable, open, ...actions }: RowProps) => {
  const { attributes, listeners, setNodeRef, setActivatorNodeRef, transform, transition, isDragging } =
    useSortable({ id: field.key, disabled: !editable })
  const Icon = fieldIcons[field.label]
  const name = titleOfField(field) || t.common.unnamed
  const { marks } = t.models
  const said = [
    field.required && marks.required,
    !field.localized && marks.once,
    field.filterable && marks.filterable,
  ].filter(Boolean)
  return (
    <li
      ref={setNodeRef}
      className={classes.field}
      data-open={isOpen || undefined}
      data-wrong={isWrong || undefined}
      data-dragging={isDragging || undefined}
      style={{ transform: CSS.Translate.toString(transform), transition }}
    >
      {editable && (
        <button
          type="button"
          ref={setActivatorNodeRef}
          {...attributes}
          {...listeners}
          className={classes.handle}
          aria-label={t.models.handle(name)}
        >
          <IconGripVertical size={16} aria-hidden />
        </button>
      )}
      <UnstyledButton className={classes.fieldBody} onClick={() => open(field)} aria-expanded={isOpen}>
        <Icon size={18} stroke={1.6} aria-hidden className={classes.icon} />
        <span className={classes.names}>
          <span className={classes.fieldTitle}>
            <span className="ellipsis">{name}</span>
            {isTitle && <span className={classes.badge}>{t.models.givesTitle}</span>}
          </span>
          <span className={`${classes.dim} ellipsis`}>
            {t.models.types[field.label][0]} · <code>{field.api_id}</code>
          </span>
        </span>
        <span className={classes.marks}>{said.join(' · ')}</span>
      </UnstyledButton>
      {editable && <RowMenu field={field} name={name} {...actions} />}
    </li>
  )
}

const RowMenu = ({
  field,
  name,
  move,
  duplicate,
  remove,
}: Omit<Actions, 'open'> & { field: Field; name: string }) => (
  <Menu position="bottom-end">
    <Menu.Target>
      <ActionIcon variant="subtle" color="gray" aria-label={t.models.actionsOf(name)}>
        <IconDots size={16} aria-hidden />
      </ActionIcon>
    </Menu.Target>
    <Menu.Dropdown>
      <Menu.Item onClick={() => move(field, -1)}>{t.models.moveUp}</Menu.Item>
      <Menu.Item onClick={() => move(field, 1)}>{t.models.moveDown}</Menu.Item>
      <Menu.Item onClick={() => duplicate(field)}>{t.models.duplicate}</Menu.Item>
      <Menu.Item onClick={() => remove(field)}>{t.models.removeField}</Menu.Item>
    </Menu.Dropdown>
  </Menu>
)

const AddField = ({ add }: { add: (label: FieldLabel) => void }) => (
  <Menu position="bottom-start" width={280}>
    <Menu.Target>
      <Button variant="default" leftSection={<IconPlus size={14} aria-hidden />} mt="md">
        {t.models.addField}
      </Button>
    </Menu.Target>
    <Menu.Dropdown mah={420} style={{ overflow: 'auto' }}>
      {groups.map((group) => [
        <Menu.Label key={group}>{t.models.groups[group]}</Menu.Label>,
        ...labelsOf(group).map((label) => {
          const Icon = fieldIcons[label]
          return (
            <Menu.Item
              key={label}
              leftSection={<Icon size={16} stroke={1.6} aria-hidden />}
              onClick={() => add(label)}
            >
              {t.models.types[label][0]}
              <Text size="xs" c="dimmed">
                {t.models.types[label][1]}
              </Text>
            </Menu.Item>
          )
        }),
      ])}
    </Menu.Dropdown>
  </Menu>
)
