import { Button, Group, Text } from '@mantine/core'
import { formatNumber } from '../../components/format.ts'
import { t } from '../../texts/index.ts'
import { impactOf } from './impact.ts'
import classes from './Models.module.css'
import type { useModel } from './use-model.ts'

type Props = {
  editing: ReturnType<typeof useModel>
  used: number | undefined
  onSaveOver: () => void
}

/** What somebody should know before saving. */
export const Notices = ({ editing, used, onSaveOver }: Props) => {
  const { saved, model, isNew, isDirty, isStale, wasKept, discard } = editing
  const impact = isDirty && !isNew && used ? impactOf(saved!, model!) : []
  return (
    <>
      {isStale && (
        <div className={classes.notice} role="alert">
          <Text fw={600}>{t.models.stale}</Text>
          <Text size="sm">{t.models.staleHint}</Text>
          <Group mt="sm" gap="sm">
            <Button size="xs" variant="default" onClick={discard}>
              {t.models.loadTheirs}
            </Button>
            <Button size="xs" variant="default" onClick={onSaveOver}>
              {t.models.saveOver}
            </Button>
          </Group>
        </div>
      )}
      {wasKept && !isStale && (
        <div className={`${classes.notice} ${classes.quiet}`} role="status">
          <Group justify="space-between">
            <Text size="sm">{t.models.restored}</Text>
            <Button size="compact-sm" variant="subtle" onClick={discard}>
              {t.models.discard}
            </Button>
          </Group>
        </div>
      )}
      {impact.length > 0 && (
        <section className={classes.notice} aria-label={t.models.impact.title(formatNumber(used!))}>
          <Text fw={600}>{t.models.impact.title(formatNumber(used!))}</Text>
          <ul>
            {impact.map((text) => (
              <li key={text}>{text}</li>
            ))}
          </ul>
        </section>
      )}
    </>
  )
}
