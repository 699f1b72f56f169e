import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useCan } from '../../api/access.ts'
import { EmptyState } from '../../components/EmptyState.tsx'
import { t } from '../../texts/index.ts'
import { UploadButton } from './UploadButton.tsx'

export const NothingHere = ({ isBare, folder }: { isBare: boolean; folder: string | undefined }) => {
  const can = useCan()
  if (isBare)
    return (
      <EmptyState title={t.media.first} hint={t.media.firstHint}>
        {can('assets_publish') && <UploadButton folder={folder} />}
      </EmptyState>
    )
  return (
    <EmptyState title={t.media.empty} hint={t.media.emptyHint}>
      <Button component={Link} to={'/media' as string} variant="default">
        {t.media.showAll}
      </Button>
    </EmptyState>
  )
}
