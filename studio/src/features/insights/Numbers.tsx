import { Button, Group, Table, Text } from '@mantine/core'
import { saveFile } from '../../components/download.ts'
import { formatDay, formatNumber } from '../../components/format.ts'
import { t } from '../../texts/index.ts'
import { formatRate, type Insights, liftText } from './recommendation.ts'

type Day = Insights['days'][number]

/** The same for a spreadsheet, in figures that it understands. */
const csvOf = (days: Day[]): string => {
  const names =
    'date,recommended_impressions,recommended_clicks,recommended_ctr,control_impressions,control_clicks,control_ctr,lift,lift_low,lift_high'
  const rows = days.map(({ date, recommended, control, lift, lift_low, lift_high }) => [
    date,
    ...[recommended, control].flatMap(({ impressions, clicks, ctr }) => [impressions, clicks, ctr]),
    lift,
    lift_low,
    lift_high,
  ])
  return [names, ...rows.map((row) => row.map((value) => value ?? '').join())].join('\r\n')
}

export const Numbers = ({ id, days }: { id: string; days: Day[] }) => (
  <div>
    <Group justify="space-between" mb="sm">
      <Text fw={600}>{t.insights.numbers}</Text>
      <Button
        size="xs"
        variant="default"
        onClick={() => saveFile(`${id}.csv`, new Blob([csvOf(days)], { type: 'text/csv' }))}
      >
        {t.insights.download}
      </Button>
    </Group>
    <Table.ScrollContainer minWidth={620} scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}>
      <Table fz="sm" verticalSpacing={6} className="figures">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t.insights.day}</Table.Th>
            <Table.Th ta="right">{t.insights.shown}</Table.Th>
            <Table.Th ta="right">{t.insights.clicks}</Table.Th>
            <Table.Th ta="right">{t.insights.recommended}</Table.Th>
            <Table.Th ta="right">{t.insights.control}</Table.Th>
            <Table.Th>{t.insights.difference}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {days.toReversed().map((day) => (
            <Table.Tr key={day.date}>
              <Table.Td>{formatDay(`${day.date}T12:00:00`)}</Table.Td>
              <Table.Td ta="right">{formatNumber(day.impressions)}</Table.Td>
              <Table.Td ta="right">{formatNumber(day.clicks)}</Table.Td>
              <Table.Td ta="right">{formatRate(day.recommended.ctr)}</Table.Td>
              <Table.Td ta="right">{formatRate(day.control.ctr)}</Table.Td>
              <Table.Td>{liftText(day)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  </div>
)
