import { Button, CloseButton, Text } from '@mantine/core'
import { useState } from 'react'
import { useCan } from '../../api/access.ts'
import { formatNumber } from '../../components/format.ts'
import { t } from '../../texts/index.ts'
import { BulkPreview } from './BulkPreview.tsx'
import classes from './Content.module.css'
import type { Publication } from './row.ts'

type Props = {
  chosen: ReadonlySet<string>
  filter: Record<string, string>
  rows: Publication[]
  total: number
  onDone: () => void
}

/** What can be done with the rows that are chosen; everything that matches can be chosen, shown or not. */
export const BulkBar = ({ chosen, filter, rows, total, onDone }: Props) => {
  const can = useCan()
  const [all, setAll] = useState(false)
  const [kind, setKind] = useState<'status' | 'delete'>()
  const isEveryRow = rows.every(({ id }) => chosen.has(id))
  const everything = all && isEveryRow
  const count = everything ? total : chosen.size
  const target = everything ? { filter } : { ids: [...chosen].slice(0, 1000) }
  return (
    <section className={classes.bulk} aria-label={t.bulk.label}>
      <Text size="sm" fw={600} className="figures">
        {everything ? t.bulk.allChosen(formatNumber(count)) : t.bulk.chosen(formatNumber(count))}
      </Text>
      {!everything && isEveryRow && total > rows.length && (
        <Button size="compact-sm" variant="subtle" onClick={() => setAll(true)}>
          {t.bulk.chooseAll(formatNumber(total))}
        </Button>
      )}
      {can('publications_bulk') && (
        <Button size="compact-sm" variant="default" onClick={() => setKind('status')}>
          {t.bulk.setStatus}
        </Button>
      )}
      {can('publications_bulk') && can('publications_delete') && (
        <Button size="compact-sm" variant="default" onClick={() => setKind('delete')}>
          {t.bulk.delete}
        </Button>
      )}
      <CloseButton size="sm" onClick={onDone} aria-label={t.actions.clear} />
      {kind && <BulkPreview kind={kind} target={target} onClose={() => setKind(undefined)} onDone={onDone} />}
    </section>
  )
}
