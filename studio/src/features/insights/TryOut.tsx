import { Button, Group, Skeleton, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Marquee } from 'marquee-sdk'
import { useState } from 'react'
import { useAddress } from '../../address.ts'
import { api } from '../../api/client.ts'
import { EmptyState } from '../../components/EmptyState.tsx'
import { ErrorState } from '../../components/ErrorState.tsx'
import type { Choice } from '../../components/filters/filter.ts'
import { linkOf } from '../../frame/links.ts'
import { t } from '../../texts/index.ts'
import {
  findPersons,
  findPublications,
  namedPersons,
  namedPublications,
  namedTags,
  titleOf,
} from '../audience/choices.ts'
import { FindOne } from '../audience/FindOne.tsx'
import classes from './Insights.module.css'
import type { Kind } from './recommendation.ts'

type Answer = Marquee.RecommendedPublication
type Asked = { person?: string | undefined; publication?: string | undefined }

/** The words for an id that stands in the address. */
const useNamed = (kind: string, id: string | undefined, named: (ids: string[]) => Promise<Choice[]>) => {
  const { data } = useQuery({
    queryKey: ['choices', kind, 'named', id],
    queryFn: () => named([id!]),
    enabled: id !== undefined,
    staleTime: 60_000,
  })
  return id === undefined ? null : (data?.[0] ?? { value: id, label: '…' })
}

/** Asks as a site would, for anybody, and tells why each answer is there. */
export const TryOut = ({ id, type }: { id: string; type: Kind }) => {
  const [address, change] = useAddress()
  const person = useNamed('persons', address.person, namedPersons)
  const publication = useNamed('publications', address.publication, namedPublications)
  const [asked, setAsked] = useState<Asked | undefined>(
    address.person || address.publication
      ? { person: address.person, publication: address.publication }
      : undefined,
  )
  const needsPublication = type === 'more_like_this' && !publication
  return (
    <Stack gap="lg" maw={760}>
      <Group align="end" gap="md" grow preventGrowOverflow={false}>
        <FindOne
          label={t.insights.forWhom}
          kind="persons"
          find={findPersons}
          value={person}
          onChange={(choice) => change({ person: choice?.value }, { replace: true })}
        />
        <FindOne
          label={t.insights.like}
          kind="publications"
          find={findPublications}
          value={publication}
          onChange={(choice) => change({ publication: choice?.value }, { replace: true })}
        />
      </Group>
      <Group gap="md">
        <Button
          size="xs"
          disabled={needsPublication}
          onClick={() => setAsked({ person: address.person, publication: address.publication })}
        >
          {t.insights.ask}
        </Button>
        <Text size="xs" c="dimmed">
          {needsPublication ? t.insights.likeNeeded : t.insights.tryHint}
        </Text>
      </Group>
      {asked && !(type === 'more_like_this' && !asked.publication) && <Answers id={id} asked={asked} />}
    </Stack>
  )
}

const Answers = ({ id, asked }: { id: string; asked: Asked }) => {
  const query = {
    explain: 'true',
    trial: 'true',
    limit: 10,
    fields: 'title,model{body}',
    ...(asked.person && { person_id: asked.person }),
    ...(asked.publication && { publication_id: asked.publication }),
  }
  const read = useQuery({
    queryKey: ['recommendations', id, 'trial', query],
    queryFn: () => api.get('/recommendations/{id}/predict', { path: { id }, query }),
  })
  const words = useReasons(read.data?.items ?? [])
  if (read.error) return <ErrorState title={t.insights.failed} error={read.error} retry={read.refetch} />
  if (!read.data) return <Skeleton height={300} />
  const { items, recommendation } = read.data
  if (items.length === 0) return <EmptyState title={t.insights.noAnswers} hint={t.insights.noAnswersHint} />
  return (
    <div>
      <Text size="sm" c="dimmed" role="status" mb="sm">
        {t.insights.variants[recommendation.variant]}
      </Text>
      <ol className={classes.answers}>
        {items.map((item) => (
          <li key={item.id} className={classes.answer}>
            <Link
              {...(linkOf('publications', item.id) as { to: string })}
              className={classes.name}
              dir="auto"
            >
              {titleOf(item)}
            </Link>{' '}
            <Text span size="xs" c="dimmed">
              {item.model?.body ?? ''}
            </Text>
            {recommendation.variant === 'recommended' && <Reason item={item} words={words} />}
          </li>
        ))}
      </ol>
    </div>
  )
}

type Words = { publications: Map<string, string>; tags: Map<string, string> }

/** Reasons name ids; their words are asked for all answers at once. */
const useReasons = (items: Answer[]): Words => {
  const publications = [
    ...new Set(items.flatMap(({ reason }) => reason?.publications.map(({ id }) => id) ?? [])),
  ]
  const tags = [...new Set(items.flatMap(({ reason }) => reason?.tags ?? []))]
  const { data } = useQuery({
    queryKey: ['choices', 'reasons', publications, tags],
    queryFn: () => Promise.all([namedPublications(publications), tags.length > 0 ? namedTags(tags) : []]),
    enabled: publications.length + tags.length > 0,
  })
  const mapOf = (choices: Choice[] = []) => new Map(choices.map(({ value, label }) => [value, label]))
  return { publications: mapOf(data?.[0]), tags: mapOf(data?.[1]) }
}

const Reason = ({ item: { reason }, words }: { item: Answer; words: Words }) => {
  if (!reason) return null
  const because = reason.publications.flatMap(({ id }) => words.publications.get(id) ?? [])
  const shares = reason.tags.flatMap((id) => words.tags.get(id) ?? [])
  const lines = [
    because.length > 0 && `${t.insights.because} ${because.map((title) => `“${title}”`).join(', ')}`,
    shares.length > 0 && `${t.insights.shares} ${shares.join(', ')}`,
    reason.popular && t.insights.popular,
    reason.exploring && t.insights.exploring,
  ].filter((line) => line !== false)
  return (
    <div className={classes.reason}>
      {lines.length === 0 && t.insights.noReason}
      {lines.map((line) => (
        <div key={line}>{line}</div>
      ))}
    </div>
  )
}
