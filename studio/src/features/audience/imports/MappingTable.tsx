import { NativeSelect, Table, Text } from '@mantine/core'
import { t } from '../../../texts/index.ts'
import type { Beginning } from './header.ts'
import { targets } from './targets.ts'

type Props = {
  beginning: Beginning
  mapping: Record<string, string>
  onChange: (mapping: Record<string, string>) => void
}

/** Which column becomes which field. */
export const MappingTable = ({ beginning, mapping, onChange }: Props) => {
  const choices = [{ value: '', label: t.audience.leaveOut }, ...targets()]
  return (
    <Table.ScrollContainer minWidth={320}>
      <Table verticalSpacing={6} fz="sm">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t.audience.column}</Table.Th>
            <Table.Th>{t.audience.becomes}</Table.Th>
            <Table.Th visibleFrom="sm">{t.audience.example}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {beginning.columns.map((name, index) => (
            <Table.Tr key={`${index} ${name}`}>
              <Table.Td dir="auto">{name}</Table.Td>
              <Table.Td>
                <NativeSelect
                  size="xs"
                  aria-label={`${t.audience.becomes}: ${name}`}
                  data={choices}
                  value={mapping[name] ?? ''}
                  onChange={(event) => onChange({ ...mapping, [name]: event.currentTarget.value })}
                />
              </Table.Td>
              <Table.Td visibleFrom="sm">
                <Text size="sm" c="dimmed" truncate maw={280} dir="auto">
                  {beginning.first[index] ?? ''}
                </Text>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}
