import { Button, Menu } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useCan } from '../../api/access.ts'
import { useRead } from '../../api/queries.ts'
import { hasPage } from '../../frame/links.ts'
import { t } from '../../texts/index.ts'

/** One model is taken at once, several are offered. */
export const NewPublication = () => {
  const can = useCan()
  const isOffered = can('publications_publish') && hasPage('/content/$id')
  const models = useRead(
    '/publication_models',
    { query: { limit: 100, total: false } },
    { enabled: isOffered },
  ).data?.items
  if (!isOffered || !models?.length) return null
  const link = (model: string) => ({ to: '/content/new', search: { model } }) as object
  const icon = <IconPlus size={14} aria-hidden />
  const [only] = models
  if (models.length === 1)
    return (
      <Button component={Link} {...link(only!.id)} leftSection={icon}>
        {t.content.new}
      </Button>
    )
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button leftSection={icon}>{t.content.new}</Button>
      </Menu.Target>
      <Menu.Dropdown mah={400} style={{ overflow: 'auto' }}>
        {models.map(({ id, body }) => (
          <Menu.Item key={id} component={Link} {...link(id)}>
            {body}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
