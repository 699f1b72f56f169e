import { Stack, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { formatDay, formatNumber, formatTime } from '../../../components/format.ts'
import { t } from '../../../texts/index.ts'
import classes from '../Audience.module.css'
import type { Person } from '../person.ts'

type Fact = [title: string, value: ReactNode]

const addressLine = (one: NonNullable<NonNullable<Person['addresses']>['items']>[number]): string =>
  [
    [one.street, one.number].filter(Boolean).join(' '),
    [one.postal_code, one.city].filter(Boolean).join(' '),
    one.country,
  ]
    .filter(Boolean)
    .join('\n')

const contactOf = (person: Person): Fact[] => [
  [
    t.audience.fields.emails,
    person.emails?.items
      ?.map(({ email, verified }) => (verified ? `${email} (${t.audience.verified})` : email))
      .join('\n'),
  ],
  [t.audience.fields.phones, person.phones?.items?.map(({ phone }) => phone).join('\n')],
  [t.audience.fields.addresses, person.addresses?.items?.map(addressLine).join('\n\n')],
  [t.audience.fields.social_media_handle, person.social_media_handle],
  ...(person.accounts?.items ?? []).map(({ provider, id }): Fact => [t.audience.accounts[provider], id]),
]

const factsOf = (person: Person): Fact[] => {
  const { fields } = t.audience
  const plain = (
    name: 'company' | 'job_title' | 'description' | 'biography' | 'source' | 'nickname',
  ): Fact => [fields[name], person[name]]
  return [
    [fields.preposition, person.preposition],
    [fields.initials, person.initials],
    plain('nickname'),
    [fields.gender, person.gender && t.audience.genders[person.gender as 'male']],
    [fields.date_of_birth, person.date_of_birth && bornOn(person)],
    plain('company'),
    plain('job_title'),
    plain('description'),
    plain('biography'),
    [fields.tags, person.tags?.items?.map(({ body }) => body).join(', ')],
    [t.audience.terms, person.terms?.items?.map(({ id }) => id).join(', ')],
    [fields.custom, person.custom.join(', ')],
    plain('source'),
    [fields.reference_id, person.reference_id],
    [t.audience.id, person.id],
    [t.audience.createdOn, formatTime(person.created_on)],
    [fields.exclude_until, person.exclude_until && formatTime(person.exclude_until)],
    [fields.tracking, person.tracking === false ? t.audience.notTracked : t.common.yes],
    [t.audience.twoFactor, person.two_factor ? t.common.yes : undefined],
  ]
}

const bornOn = ({ date_of_birth, age }: Person): string =>
  `${formatDay(`${date_of_birth}T12:00:00`)}${age == null ? '' : ` (${formatNumber(age)})`}`

/** What is known; what is not is left out. */
export const Details = ({ person }: { person: Person }) => (
  <Stack gap="xl">
    <Facts title={t.audience.contact} facts={contactOf(person)} />
    <Facts title={t.audience.details} facts={factsOf(person)} />
  </Stack>
)

const Facts = ({ title, facts }: { title: string; facts: Fact[] }) => {
  const known = facts.filter(([, value]) => value)
  if (known.length === 0) return null
  return (
    <div>
      <Title order={2} size="sm" mb={8}>
        {title}
      </Title>
      <dl className={classes.facts}>
        {known.map(([name, value]) => (
          <Entry key={name} name={name} value={value} />
        ))}
      </dl>
    </div>
  )
}

const Entry = ({ name, value }: { name: string; value: ReactNode }) => (
  <>
    <dt>{name}</dt>
    <dd dir="auto">{value}</dd>
  </>
)
