import { Button, Skeleton, Stack, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useRead } from '../../../api/queries.ts'
import { ErrorState } from '../../../components/ErrorState.tsx'
import { conditionsOf, type FilterBody } from '../../../components/filters/conditions.ts'
import type { Filter, FilterField } from '../../../components/filters/filter.ts'
import { operatorText, useValueText } from '../../../components/filters/words.ts'
import { Panel } from '../../../components/Panel.tsx'
import { RelativeTime } from '../../../components/RelativeTime.tsx'
import { StatusMark } from '../../../components/StatusMark.tsx'
import { linkOf } from '../../../frame/links.ts'
import { t } from '../../../texts/index.ts'
import { knownFields } from '../fields.ts'
import { personName } from '../person.ts'
import classes from './Rules.module.css'
import { isGroup, type RuleNode, readRules } from './rules.ts'
import type { Segment } from './use-segment.ts'

/** A rule with whether it matches; of a filter each field is told. */
type Answered = { matched: boolean; items?: Record<string, Answered>; filters?: Record<string, boolean> }

type Props = { segment: Segment; personId: string | undefined; onClose: () => void }

/** Why somebody is in a segment, or is not: each rule in words, with whether it holds. */
export const Why = ({ segment, personId, onClose }: Props) => {
  const enabled = personId !== undefined
  const path = { id: segment.id, person_id: personId ?? '' }
  const why = useRead('/segments/{id}/persons/{person_id}', { path }, { enabled })
  const person = useRead(
    '/persons/{id}',
    { path: { id: personId ?? '' }, query: { fields: 'prefix_last_name,emails,reference_id' } },
    { enabled },
  )
  const known = useMemo(knownFields, [])
  const name = person.data ? personName(person.data) : '…'
  const answer = why.data?.rules as Answered | undefined
  return (
    <Panel title={t.audience.why(name)} opened={enabled} onClose={onClose}>
      {why.error && <ErrorState error={why.error} retry={why.refetch} />}
      {!why.data && !why.error && <Skeleton height={120} />}
      {why.data && answer && (
        <Stack gap="lg">
          <Text size="sm">
            {why.data.member ? t.audience.whyIn : t.audience.whyOut}{' '}
            {why.data.since && <RelativeTime at={why.data.since} />}
          </Text>
          <ul className={classes.why}>
            <Node node={readRules(segment.rules)} answer={answer} known={known} />
          </ul>
          {personId && (
            <Button size="xs" variant="default" component={Link} {...(linkOf('persons', personId) as object)}>
              {t.audience.openPerson}
            </Button>
          )}
        </Stack>
      )}
    </Panel>
  )
}

type NodeProps = { node: RuleNode; answer: Answered | undefined; known: FilterField[] }

const Node = ({ node, answer, known }: NodeProps) => {
  if (!isGroup(node)) return <Leaf filter={node.filter} answer={answer} known={known} />
  return (
    <li>
      <Mark holds={answer?.matched}>{node.match === 'all' ? t.audience.whyAll : t.audience.whyAny}</Mark>
      <ul className={classes.why}>
        {node.items.map((item) => (
          <Node key={item.key} node={item} answer={answer?.items?.[item.key]} known={known} />
        ))}
      </ul>
    </li>
  )
}

type LeafProps = { filter: FilterBody; answer: Answered | undefined; known: FilterField[] }

const Leaf = ({ filter, answer, known }: LeafProps) =>
  Object.entries(filter).map(([name, tests]) => {
    const conditions = conditionsOf({ [name]: tests }, known)
    const holds = answer?.filters?.[name]
    return (
      <li key={name}>
        {conditions ? (
          <InWords conditions={conditions} holds={holds} />
        ) : (
          <Mark holds={holds}>{JSON.stringify({ [name]: tests })}</Mark>
        )}
      </li>
    )
  })

const InWords = ({ conditions, holds }: { conditions: Filter[]; holds: boolean | undefined }) => (
  <>
    {conditions.map((condition, index) => (
      <OneInWords key={index} condition={condition} holds={holds} />
    ))}
  </>
)

const OneInWords = ({ condition, holds }: { condition: Filter; holds: boolean | undefined }) => {
  const value = useValueText(condition)
  return (
    <Mark holds={holds}>
      {`${condition.field.title} ${operatorText(condition.field, condition.operator)} ${value}`}
    </Mark>
  )
}

/** By shape and word, never by colour alone. */
const Mark = ({ holds, children }: { holds: boolean | undefined; children: string }) => (
  <StatusMark meaning={holds ? 'done' : 'none'}>
    {`${children}: ${holds ? t.audience.holds : t.audience.holdsNot}`}
  </StatusMark>
)
