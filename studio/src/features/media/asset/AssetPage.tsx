import { Anchor, Button, FileButton, Menu, Skeleton } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { useCan } from '../../../api/access.ts'
import { useRead } from '../../../api/queries.ts'
import { ErrorState } from '../../../components/ErrorState.tsx'
import { PageHead } from '../../../components/PageHead.tsx'
import { useIsSmall } from '../../../components/small.ts'
import { toast } from '../../../components/toast.tsx'
import { t } from '../../../texts/index.ts'
import { type Asset, acceptOf, factsOf, nameOf, originalOf } from '../files.ts'
import { addUploads } from '../uploads/store.ts'
import { UploadTray } from '../uploads/UploadTray.tsx'
import { useTrash } from '../use-trash.tsx'
import classes from './Asset.module.css'
import { Facts } from './Facts.tsx'
import { Fields } from './Fields.tsx'
import { LocaleTexts } from './LocaleTexts.tsx'
import { Preview } from './Preview.tsx'
import { Usage } from './Usage.tsx'

const fields = 'cdn_files,storage_file,details,tags,created_by{name},updated_by{name}'

const AssetPage = () => {
  const { id } = useParams({ strict: false }) as { id: string }
  const read = useRead('/assets/{id}', { path: { id }, query: { fields } })
  return (
    <div className={classes.page}>
      <div className={classes.crumb}>
        <Anchor component={Link} to={'/media' as string} size="xs" c="dimmed">
          {t.media.back}
        </Anchor>
      </div>
      {read.data ? (
        <Inside key={id} asset={read.data} />
      ) : read.error ? (
        <ErrorState title={t.media.loadFailed} error={read.error} retry={read.refetch} />
      ) : (
        <Skeleton m="xl" height={320} w="auto" />
      )}
      <UploadTray />
    </div>
  )
}

const Inside = ({ asset }: { asset: Asset }) => {
  const can = useCan()
  const mayChange = can('assets_publish')
  return (
    <>
      <PageHead title={nameOf(asset)} hint={factsOf(asset).join(' · ')}>
        <Actions asset={asset} mayChange={mayChange} />
      </PageHead>
      <div className={classes.columns}>
        <div className={classes.preview}>
          <Preview asset={asset} mayChange={mayChange} />
        </div>
        <div className={classes.side}>
          <Fields asset={asset} mayChange={mayChange} />
          <LocaleTexts asset={asset} mayChange={mayChange} />
          <Usage id={asset.id} />
          <Facts asset={asset} />
        </div>
      </div>
    </>
  )
}

const replace = (asset: Asset, file: File | null): void => {
  if (file)
    addUploads([file], {
      replaces: asset.id,
      onDone: (changed) => toast(t.media.replaced(nameOf(changed))),
    })
}

const Actions = ({ asset, mayChange }: { asset: Asset; mayChange: boolean }) => {
  const can = useCan()
  const phone = useIsSmall('phone')
  const navigate = useNavigate()
  const [trash, dialog] = useTrash(() => navigate({ to: '/media' as string }))
  const original = originalOf(asset)
  const download = original && { href: original, download: asset.original_name ?? '' }
  return (
    <>
      {mayChange && (
        <FileButton accept={acceptOf([asset.label])} onChange={(file) => replace(asset, file)}>
          {(props) => (
            <Button {...props} variant="default">
              {t.media.replace}
            </Button>
          )}
        </FileButton>
      )}
      {!phone && download && (
        <Button component="a" variant="default" {...download}>
          {t.media.download}
        </Button>
      )}
      {!phone && can('assets_delete') && (
        <Button variant="default" onClick={() => trash([asset])}>
          {t.media.toTrash}
        </Button>
      )}
      {phone && (
        <Menu position="bottom-end">
          <Menu.Target>
            <Button variant="default" px={8} aria-label={t.media.actions}>
              <IconDots size={16} aria-hidden />
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            {download && (
              <Menu.Item component="a" {...download}>
                {t.media.download}
              </Menu.Item>
            )}
            {can('assets_delete') && <Menu.Item onClick={() => trash([asset])}>{t.media.toTrash}</Menu.Item>}
          </Menu.Dropdown>
        </Menu>
      )}
      {dialog}
    </>
  )
}

export default AssetPage
