import { Group, Stack, Text } from '@mantine/core'
import { useRead } from '../../../api/queries.ts'
import { formatNumber } from '../../../components/format.ts'
import { RelativeTime } from '../../../components/RelativeTime.tsx'
import { t } from '../../../texts/index.ts'
import { plainFields } from '../EditorHead.tsx'

/** What readers did with it, and who made it. */
export const Insights = ({ id }: { id: string }) => {
  const row = useRead('/publications/{id}', { path: { id }, query: { fields: plainFields } }).data
  const counts = Object.entries(row?.insights ?? {}).sort(([, one], [, other]) => other - one)
  const most = counts[0]?.[1] ?? 1
  return (
    <Stack gap={6}>
      {row && counts.length === 0 && (
        <Text size="sm" c="dimmed">
          {t.editor.noInsights}
        </Text>
      )}
      {counts.map(([label, count]) => (
        <div key={label}>
          <Group justify="space-between">
            <Text size="sm">{label}</Text>
            <Text size="sm" className="figures">
              {formatNumber(count)}
            </Text>
          </Group>
          <div
            aria-hidden
            style={{
              height: 3,
              borderRadius: 2,
              width: `${(100 * count) / most}%`,
              background: 'var(--information)',
            }}
          />
        </div>
      ))}
      {row && (
        <Text size="xs" c="dimmed" component="div" mt={4}>
          {t.content.createdOn} <RelativeTime at={row.created_on} />{' '}
          {row.created_by?.name && t.content.by(row.created_by.name)}
        </Text>
      )}
    </Stack>
  )
}
