import { Menu } from '@mantine/core'
import type { ReactNode } from 'react'
import { t } from '../../texts/index.ts'
import type { FilterField } from './filter.ts'

type Props = { fields: FilterField[]; onChoose: (field: FilterField) => void; children: ReactNode }

export const FieldMenu = ({ fields, onChoose, children }: Props) => (
  <Menu position="bottom-start" width={220} returnFocus={false}>
    <Menu.Target>{children}</Menu.Target>
    <Menu.Dropdown mah={380} style={{ overflow: 'auto' }}>
      <Menu.Label>{t.filters.field}</Menu.Label>
      {fields.map((field) => (
        <Menu.Item key={field.name} onClick={() => onChoose(field)}>
          {field.title}
        </Menu.Item>
      ))}
    </Menu.Dropdown>
  </Menu>
)
