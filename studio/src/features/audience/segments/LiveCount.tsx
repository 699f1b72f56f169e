import { Button } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../../api/client.ts'
import { explain } from '../../../components/explain.ts'
import { formatNumber } from '../../../components/format.ts'
import { t } from '../../../texts/index.ts'
import classes from './Rules.module.css'
import type { Rules } from './rules.ts'

/** How many persons the rules find, while they are being written. An estimate says that it is one. */
export const LiveCount = ({ rules }: { rules: Rules }) => {
  const text = JSON.stringify(rules)
  const [asked] = useDebouncedValue(text, 300)
  const [exactFor, setExactFor] = useState<string>()
  const exact = exactFor === asked
  const count = useQuery({
    queryKey: ['segments', 'preview', asked, exact],
    queryFn: ({ signal }) =>
      api.post('/segments/preview', { body: { rules: JSON.parse(asked), exact }, signal }),
    placeholderData: keepPreviousData,
  })
  const isOld = asked !== text || count.isPlaceholderData || count.isLoading
  return (
    <div className={classes.count} role="status">
      {count.error ? <span>{explain(count.error)}</span> : <b className="figures">{wordsFor(count.data)}</b>}
      {isOld && <span className={classes.joined}>{t.audience.counting}</span>}
      {!isOld && count.data?.exact === false && (
        <Button size="compact-xs" variant="default" onClick={() => setExactFor(asked)}>
          {t.audience.countExactly}
        </Button>
      )}
    </div>
  )
}

const wordsFor = (counted: { total: number; exact: boolean; margin: number } | undefined): string => {
  if (!counted) return ''
  const total = formatNumber(counted.total)
  return counted.exact ? t.audience.exactly(total) : t.audience.estimate(total, formatNumber(counted.margin))
}
