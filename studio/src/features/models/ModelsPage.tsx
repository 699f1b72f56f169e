import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { Link, useNavigate } from '@tanstack/react-router'
import type { Marquee } from 'marquee-sdk'
import { useCallback, useMemo } from 'react'
import { useAddress } from '../../address.ts'
import { useCan } from '../../api/access.ts'
import { usePages } from '../../api/queries.ts'
import { type Column, DataTable } from '../../components/DataTable.tsx'
import { EmptyState } from '../../components/EmptyState.tsx'
import { ErrorState } from '../../components/ErrorState.tsx'
import { formatNumber } from '../../components/format.ts'
import { PageHead } from '../../components/PageHead.tsx'
import { RelativeTime } from '../../components/RelativeTime.tsx'
import { SearchField } from '../../components/SearchField.tsx'
import { t } from '../../texts/index.ts'
import { ImportModels } from './ImportModels.tsx'
import classes from './Models.module.css'
import { downloadModels } from './transfer.ts'
import { useUseOf } from './use-model.ts'

type Row = Marquee.PublicationModel

const linkTo = (id: string) => ({ to: '/models/$id', params: { id } }) as { to: string }

const Used = ({ id }: { id: string }) => {
  const used = useUseOf(id)
  return <span className="figures">{used === undefined ? '' : formatNumber(used)}</span>
}

const useColumns = (): Column<Row>[] =>
  useMemo(
    () => [
      {
        key: 'body',
        title: t.models.name,
        width: 'minmax(160px, 2fr)',
        sortKey: 'body',
        small: 'first',
        render: ({ id, body }) => (
          <Link {...linkTo(id)} className={`${classes.title} ellipsis`}>
            {body}
          </Link>
        ),
      },
      {
        key: 'description',
        title: t.models.description,
        width: 'minmax(120px, 3fr)',
        keep: 1,
        render: ({ description }) => <span className="ellipsis">{description}</span>,
      },
      {
        key: 'fields',
        title: t.models.fields,
        width: '90px',
        align: 'right',
        keep: 3,
        render: ({ fields = [] }) => <span className="figures">{formatNumber(fields.length)}</span>,
      },
      {
        key: 'used',
        title: t.models.used,
        width: '110px',
        align: 'right',
        keep: 4,
        small: 'second',
        render: ({ id }) => <Used id={id} />,
      },
      {
        key: 'changed_on',
        title: t.models.changed,
        width: '130px',
        sortKey: 'changed_on',
        keep: 2,
        small: 'second',
        render: ({ changed_on, created_on }) => <RelativeTime at={changed_on ?? created_on} />,
      },
    ],
    [],
  )

const ModelsPage = () => {
  const can = useCan()
  const editable = can('publication_models_publish')
  const navigate = useNavigate()
  const [address, change] = useAddress()
  const list = usePages('/publication_models', {
    ...(address.q && { q: address.q }),
    sort: address.sort ?? 'body',
    fields: 'fields{api_id}',
  })
  const columns = useColumns()
  const search = useCallback((q: string) => change({ q: q || undefined }, { replace: true }), [change])
  const isEmpty = list.total === 0 && !list.isPlaceholder
  const newModel = (text: string) => (
    <Button component={Link} {...linkTo('new')} leftSection={<IconPlus size={14} aria-hidden />}>
      {text}
    </Button>
  )
  const importButton = (
    <Button variant="default" onClick={() => change({ import: '1' })}>
      {t.models.import}
    </Button>
  )
  return (
    <div className={classes.page}>
      <PageHead title={t.areas.models} hint={list.total === undefined ? undefined : formatNumber(list.total)}>
        {!isEmpty && (
          <Button variant="default" onClick={() => downloadModels()} visibleFrom="sm">
            {t.models.exportAll}
          </Button>
        )}
        {editable && importButton}
        {editable && newModel(t.models.new)}
      </PageHead>
      <SearchField
        label={t.models.search}
        value={address.q ?? ''}
        onChange={search}
        className={classes.search}
      />
      <div className={classes.table}>
        {list.error ? (
          <ErrorState error={list.error} retry={list.retry} />
        ) : isEmpty && address.q ? (
          <EmptyState title={t.models.noMatch} />
        ) : isEmpty ? (
          <EmptyState title={t.models.emptyTitle} hint={t.models.emptyHint}>
            {editable && newModel(t.models.makeFirst)}
            {editable && importButton}
          </EmptyState>
        ) : (
          <DataTable
            label={t.models.listLabel}
            rows={list.rows}
            columns={columns}
            nameOf={({ body }) => body}
            total={list.total}
            loading={list.isLoading}
            hasMore={list.hasMore}
            loadMore={list.loadMore}
            onOpen={({ id }) => navigate(linkTo(id))}
            onEdit={({ id }) => navigate(linkTo(id))}
            sort={address.sort}
            onSort={(sort) => change({ sort })}
          />
        )}
      </div>
      {address.import && editable && <ImportModels onClose={() => change({ import: undefined })} />}
    </div>
  )
}

export default ModelsPage
