import { ActionIcon, Text } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconExternalLink, IconX } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { linkOf } from '../../../frame/links.ts'
import { t } from '../../../texts/index.ts'
import { Finder } from './Finder.tsx'
import classes from './Inputs.module.css'
import type { InputProps } from './input.ts'
import { kinds, type Named, useNamed } from './kinds.ts'

type Item = { id?: string; body?: string }

/** Other records, in an order that counts; each with a look at what it is. */
export const ReferenceInput = ({ value, onChange, field, locale, name, disabled }: InputProps) => {
  const { label, validations } = field
  const items = (value?.items ?? []) as Item[]
  const ids = items.flatMap(({ id }) => (id ? [id] : []))
  const named = useNamed(label, ids, locale)
  const put = (next: Item[]) => onChange(next.length === 0 ? null : { label, items: next })
  const isFull = items.length >= (validations?.max_items ?? 1000)
  const move = (index: number, by: number) =>
    put(items.toSpliced(index, 1).toSpliced(index + by, 0, items[index]!))
  return (
    <div>
      <ol className={classes.chosen} aria-label={name}>
        {items.map((item, index) => (
          <Row
            key={item.id ?? item.body}
            label={label}
            shown={named.get(item.id ?? '') ?? { id: item.id ?? '', name: item.body ?? '…' }}
            disabled={disabled}
            onRemove={() => put(items.toSpliced(index, 1))}
            onUp={index > 0 ? () => move(index, -1) : undefined}
            onDown={index < items.length - 1 ? () => move(index, 1) : undefined}
          />
        ))}
      </ol>
      {!disabled && !isFull && (
        <Finder
          label={label}
          name={name}
          locale={locale}
          models={validations?.models ?? []}
          taken={new Set(ids)}
          onPick={(item) => put([...items, item])}
        />
      )}
    </div>
  )
}

type RowProps = {
  label: string
  shown: Named
  disabled: boolean
  onRemove: () => void
  onUp: (() => void) | undefined
  onDown: (() => void) | undefined
}

const Row = ({ label, shown, disabled, onRemove, onUp, onDown }: RowProps) => (
  <li className={classes.reference}>
    {label === 'Asset' &&
      (shown.picture ? (
        <img className={classes.picture} src={shown.picture} alt="" />
      ) : (
        <span className={classes.picture} />
      ))}
    <span className={classes.referenceName}>
      <Text size="sm" className="ellipsis">
        {shown.name}
      </Text>
      {shown.more && (
        <Text size="xs" c="dimmed">
          {shown.more}
        </Text>
      )}
    </span>
    {label !== 'TagBox' && shown.id && (
      <ActionIcon
        component={Link}
        {...(linkOf(kinds[label]!.path.slice(1), shown.id) as object)}
        target="_blank"
        variant="subtle"
        color="gray"
        size="sm"
        aria-label={t.editor.openOther(shown.name)}
      >
        <IconExternalLink size={14} aria-hidden />
      </ActionIcon>
    )}
    {!disabled && (
      <>
        <Move
          label={t.editor.moveUp(shown.name)}
          onClick={onUp}
          icon={<IconArrowUp size={14} aria-hidden />}
        />
        <Move
          label={t.editor.moveDown(shown.name)}
          onClick={onDown}
          icon={<IconArrowDown size={14} aria-hidden />}
        />
        <Move
          label={t.editor.removeItem(shown.name)}
          onClick={onRemove}
          icon={<IconX size={14} aria-hidden />}
        />
      </>
    )}
  </li>
)

const Move = ({
  label,
  onClick,
  icon,
}: {
  label: string
  onClick: (() => void) | undefined
  icon: React.ReactNode
}) => (
  <ActionIcon
    variant="subtle"
    color="gray"
    size="sm"
    aria-label={label}
    disabled={!onClick}
    onClick={onClick}
  >
    {icon}
  </ActionIcon>
)
