import { Button, Skeleton, Stack, Table, Text, Title, UnstyledButton } from '@mantine/core'
import { useAddress } from '../../../address.ts'
import { usePages } from '../../../api/queries.ts'
import { ErrorState } from '../../../components/ErrorState.tsx'
import { formatNumber } from '../../../components/format.ts'
import { PageHead } from '../../../components/PageHead.tsx'
import { RelativeTime } from '../../../components/RelativeTime.tsx'
import { t } from '../../../texts/index.ts'
import classes from '../Audience.module.css'
import { AudienceTabs } from '../AudienceTabs.tsx'
import { ImportForm } from './ImportForm.tsx'
import { ImportRun, ImportState } from './ImportRun.tsx'
import own from './Imports.module.css'

const ImportsPage = () => {
  const [address, change] = useAddress()
  const show = (run: string) => change({ run })
  return (
    <div className={classes.page}>
      <PageHead title={t.areas.audience} below={<AudienceTabs current="imports" />} />
      <div className={classes.scroll}>
        <div className={own.columns}>
          <Stack gap="lg">
            <Title order={2} size="h3">
              {t.audience.importTitle}
            </Title>
            <ImportForm onStarted={show} />
          </Stack>
          <Stack gap="lg">
            {address.run && <ImportRun key={address.run} id={address.run} />}
            <Earlier onShow={show} />
          </Stack>
        </div>
      </div>
    </div>
  )
}

const Earlier = ({ onShow }: { onShow: (id: string) => void }) => {
  const list = usePages('/persons/imports', {}, { limit: 20 })
  return (
    <div>
      <Title order={2} size="h4" mb="sm">
        {t.audience.before}
      </Title>
      {list.error && <ErrorState error={list.error} retry={list.retry} />}
      {list.isLoading && <Skeleton height={80} />}
      {list.total === 0 && (
        <Text size="sm" c="dimmed">
          {t.audience.noImports}
        </Text>
      )}
      {list.rows.length > 0 && (
        <Table fz="sm" verticalSpacing={6}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t.audience.when}</Table.Th>
              <Table.Th>{t.audience.kind}</Table.Th>
              <Table.Th>{t.audience.status}</Table.Th>
              <Table.Th ta="right">{t.audience.rows}</Table.Th>
              <Table.Th ta="right">{t.audience.failed}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {list.rows.map((run) => (
              <Table.Tr key={run.id}>
                <Table.Td>
                  <UnstyledButton className={classes.name} fz="sm" onClick={() => onShow(run.id)}>
                    <RelativeTime at={run.created_on} />
                  </UnstyledButton>
                </Table.Td>
                <Table.Td>{run.dry_run ? t.audience.dryRun : t.audience.realRun}</Table.Td>
                <Table.Td>
                  <ImportState run={run} />
                </Table.Td>
                <Table.Td ta="right" className="figures">
                  {formatNumber(run.matched)}
                </Table.Td>
                <Table.Td ta="right" className="figures">
                  {formatNumber(run.failed)}
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
      {list.hasMore && (
        <Button mt="md" size="xs" variant="default" onClick={list.loadMore}>
          {t.table.more}
        </Button>
      )}
    </div>
  )
}

export default ImportsPage
