import { Button } from '@mantine/core'
import { t } from '../texts/index.ts'
import { EmptyState } from './EmptyState.tsx'
import { explain } from './explain.ts'

/** Instead of what could not be loaded. */
export const ErrorState = ({
  title = t.errors.list,
  error,
  retry,
}: {
  title?: string
  error: unknown
  retry?: () => unknown
}) => (
  <div role="alert">
    <EmptyState title={title} hint={explain(error)}>
      {retry && (
        <Button variant="default" onClick={() => retry()}>
          {t.actions.retry}
        </Button>
      )}
    </EmptyState>
  </div>
)
