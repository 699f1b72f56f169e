import { Anchor } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { EmptyState } from '../components/EmptyState.tsx'
import { areas } from '../routes.tsx'
import { t } from '../texts/index.ts'

export const NotFound = () => (
  <EmptyState title={t.frame.notFound} hint={t.frame.notFoundHint}>
    <Anchor component={Link} to={areas[0]!.pages[0].path}>
      {t.frame.toContent}
    </Anchor>
  </EmptyState>
)
