import { Button, Checkbox, Group, Input, Text } from '@mantine/core'
import type { Marquee } from 'marquee-sdk'
import { Fragment } from 'react'
import { useCan } from '../../../api/access.ts'
import { t } from '../../../texts/index.ts'
import classes from '../Settings.module.css'

export type Scope = Marquee.CreateTokenBody['scopes'][number]

const subjects: Record<string, Scope[]> = {
  publications: ['publications', 'publications_publish', 'publications_delete', 'publications_bulk'],
  content_items: ['content_items', 'content_items_publish'],
  publication_models: ['publication_models', 'publication_models_publish'],
  channels: ['channels', 'channels_publish', 'channels_delete'],
  containers: ['containers_publish'],
  statuses: ['statuses_publish'],
  tags: ['tags_publish'],
  assets: ['assets', 'assets_publish', 'assets_delete'],
  persons: ['persons', 'persons_publish', 'persons_delete'],
  person: ['person_publish', 'person_delete'],
  persons_me: ['persons_me'],
  segments: ['segments', 'segments_publish'],
  interactions: ['interactions_publish'],
  recommendations: ['recommendations', 'recommendations_publish'],
  messages: ['messages', 'messages_publish'],
  comments: ['comments', 'comments_publish', 'comments_delete'],
  sources: ['sources', 'sources_publish'],
  configurations: ['configurations', 'configurations_publish'],
  webhooks: ['webhooks', 'webhooks_publish'],
  users: ['users', 'users_publish'],
  connect: ['connect'],
  tokens: ['tokens'],
}
const all = Object.values(subjects).flat()
const isReading = (scope: Scope): boolean => !/_(publish|delete|bulk)$|^tokens$|^connect$/.test(scope)

/** With the column that it stands in. */
const verbOf = (scope: Scope): [text: string, column: number] => {
  const texts = t.settings.scopes
  if (scope.endsWith('_publish')) return [texts.write, 3]
  if (scope.endsWith('_delete')) return [texts.delete, 4]
  if (scope.endsWith('_bulk')) return [texts.bulk, 5]
  return [isReading(scope) ? texts.read : texts.use, 2]
}

type Props = {
  label: string
  value: Scope[]
  error?: string | undefined
  onChange: (scopes: Scope[]) => void
}

/** What it may do, by subject; nobody can give more than they hold. */
export const ScopePicker = ({ label, value, error, onChange }: Props) => {
  const can = useCan()
  const chosen = new Set(value)
  const toggle = (scope: Scope) =>
    onChange(chosen.has(scope) ? value.filter((one) => one !== scope) : [...value, scope])
  const quick: [string, Scope[]][] = [
    [t.settings.scopes.readAll, all.filter((scope) => isReading(scope) && can(scope))],
    [t.settings.scopes.all, all.filter((scope) => can(scope))],
    [t.settings.scopes.none, []],
  ]
  return (
    <Input.Wrapper label={label} error={error} labelElement="div">
      <Group gap={4} my={4}>
        {quick.map(([name, scopes]) => (
          <Button key={name} size="compact-xs" variant="default" onClick={() => onChange(scopes)}>
            {name}
          </Button>
        ))}
      </Group>
      <div className={classes.scopes}>
        {Object.entries(subjects).map(([subject, scopes]) => (
          <Fragment key={subject}>
            <Text size="xs" style={{ gridColumn: 1 }} className="ellipsis" title={subject}>
              {subject}
            </Text>
            {scopes.map((scope) => (
              <Checkbox
                key={scope}
                size="xs"
                label={verbOf(scope)[0]}
                aria-label={`${subject}: ${verbOf(scope)[0]}`}
                style={{ gridColumn: verbOf(scope)[1] }}
                title={scope}
                disabled={!can(scope)}
                checked={chosen.has(scope)}
                onChange={() => toggle(scope)}
              />
            ))}
          </Fragment>
        ))}
      </div>
    </Input.Wrapper>
  )
}
