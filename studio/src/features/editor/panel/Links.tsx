import { ActionIcon, Text } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { t } from '../../../texts/index.ts'
import { Finder } from '../inputs/Finder.tsx'
import classes from '../inputs/Inputs.module.css'
import { useNamed } from '../inputs/kinds.ts'
import { useStore, useValue } from '../saving/store.ts'

type Link = { id: string; name?: string; body?: string }
type Props = { name: 'channels' | 'containers'; label: string; locale: string; disabled: boolean }

/** Where it stands: channels and stories. They hold for every language. */
export const Links = ({ name, label, locale, disabled }: Props) => {
  const store = useStore()
  const links = useValue<Link[] | undefined>(name) ?? []
  const ids = links.map(({ id }) => id)
  const unknown = links.filter((link) => !link.name && !link.body).map(({ id }) => id)
  const named = useNamed(label, unknown, locale)
  const title = name === 'channels' ? t.content.channels : t.content.containers
  const put = (next: Link[]) => store.set(name, next)
  return (
    <div>
      <ul className={classes.chosen} aria-label={title}>
        {links.map(({ id, name: own, body }) => {
          const shown = own ?? body ?? named.get(id)?.name ?? '…'
          return (
            <li key={id} className={classes.reference}>
              <Text size="sm" className={`${classes.referenceName} ellipsis`}>
                {shown}
              </Text>
              {!disabled && (
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  size="sm"
                  aria-label={t.editor.removeItem(shown)}
                  onClick={() => put(links.filter((one) => one.id !== id))}
                >
                  <IconX size={14} aria-hidden />
                </ActionIcon>
              )}
            </li>
          )
        })}
      </ul>
      {!disabled && (
        <Finder
          label={label}
          name={title}
          locale={locale}
          models={[]}
          taken={new Set(ids)}
          onPick={({ id }) => id && put([...links, { id }])}
        />
      )}
    </div>
  )
}
