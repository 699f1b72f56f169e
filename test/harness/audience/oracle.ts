import {
  accountFields,
  day,
  fieldLabels,
  labels,
  now,
  participles,
  providers,
  type Tag,
  today,
} from './made-up.ts'
import type { Known } from './people.ts'

/** Counted one birthday after the other. */
const ageOf = (born: string): number => {
  let age = -1
  for (let year = Number(born.slice(0, 4)); ; year += 1) {
    const birthday = new Date(Date.UTC(year, Number(born.slice(5, 7)) - 1, Number(born.slice(8))))
    if (birthday.getTime() > Date.parse(today)) return age
    age += 1
  }
}

export type Value = string | number | boolean | string[]
export type Asked = { name: string; operator: string; value: Value; more?: Record<string, string> }

const compared = (is: number | string | null, operator: string, value: number | string): boolean => {
  if (is === null) return false
  if (operator === 'lt') return is < value
  if (operator === 'lte') return is <= value
  return operator === 'gt' ? is > value : operator === 'gte' ? is >= value : is === value
}

/** As precise as it was written: a day, or a second. */
const dateHolds = (is: number | null, operator: string, value: Value): boolean => {
  if (operator === 'has') return (is !== null) === value
  if (is === null) return false
  if (operator === 'il') return is >= now - Number(value) * 1000
  const isDay = /^\d{4}-\d\d-\d\d$/.test(String(value))
  const from = typeof value === 'number' ? value * 1000 : Date.parse(String(value))
  const last = from + (isDay ? day : 1000) - 1
  if (operator === 'eq') return is >= from && is <= last
  if (operator === 'lt') return is < from
  return operator === 'lte' ? is <= last : operator === 'gt' ? is > last : is >= from
}

const listHolds = (list: string[], operator: string, value: Value): boolean => {
  if (operator === 'has') return list.length > 0 === value
  const wanted = [value].flat() as string[]
  return operator === 'all'
    ? wanted.every((one) => list.includes(one))
    : wanted.some((one) => list.includes(one))
}

/** Whether a person is among those whom a filter asks for, worked out without any SQL. */
export const holds = (tags: Tag[], person: Known, { name, operator, value, more }: Asked): boolean => {
  if (name === 'id' || name === 'reference_id') {
    const is = person[name]
    return operator === 'has' ? (is !== null) === value : is !== null && [value].flat().includes(is as never)
  }
  if (name === 'gender')
    return operator === 'neq'
      ? person.gender !== value
      : person.gender !== null && [value].flat().includes(person.gender as never)
  if (name === 'age')
    return compared(person.date_of_birth && (ageOf(person.date_of_birth) as never), operator, value as number)
  if (name === 'password') return person.password === value
  if (name === 'terms') return listHolds(person.terms, operator, value)
  if (name === 'tags') {
    const by = (more?.param ?? 'id').toLowerCase() as 'id'
    const said = (text: string) => (by === ('body' as string) ? text.toLowerCase() : text)
    const own = tags.filter(({ id }) => person.tags.includes(id)).map((tag) => said(tag[by]))
    return listHolds(
      own,
      operator,
      typeof value === 'boolean' ? value : [value].flat().map((one) => said(String(one))),
    )
  }
  if (accountFields.includes(name)) {
    const provider = providers[accountFields.indexOf(name)]
    return listHolds(
      person.accounts.flatMap(([own, id]) => (own === provider ? [id] : [])),
      operator,
      value,
    )
  }
  if (name === 'liked') return listHolds(person.liked, operator, value)
  if (name === 'interactions' || fieldLabels[name]) {
    const type = more?.type?.toLowerCase()
    const label =
      fieldLabels[name] ??
      labels.find((one) => [one, participles[one]].some((said) => type && said?.toLowerCase() === type))
    return listHolds(
      person.interactions.flatMap(([publication, own]) => (!label || own === label ? [publication] : [])),
      operator,
      value,
    )
  }
  return dateHolds(person[name as 'created_on'], operator, value)
}
