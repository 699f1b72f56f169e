import { Type } from 'typebox'
import type { ListRequest } from '../../../database/page.ts'
import { type Problem, readers } from '../../../database/values.ts'
import type { ListOptions } from '../../../http/types.ts'
import { publicationList } from '../../publications/list/list.ts'
import { PublicationListQuery } from '../../publications/list/query.ts'

/** Of a history more would not change what is recommended. */
export const longestHistory = 200

export type Asked = {
  publicationId: string | undefined
  personId: string | undefined
  sessionHash: string | undefined
  /** The newest first. */
  history: string[]
  explain: boolean
  /** Nothing is kept of it. */
  trial: boolean
  /** What is asked of the publications list. */
  request: ListRequest
}

const text = (description: string) => Type.Optional(Type.Unsafe<string>({ description }))

export const PredictQuery = Type.Object(
  {
    publication_id: text('more_like_this: like which publication'),
    person_id: text('For whom'),
    session_hash: text('For whom, by the secret of a session'),
    history: text(`What a visitor saw, the newest first: up to ${longestHistory} ids of publications`),
    explain: text('true: each publication says why it is recommended'),
    trial: text('true: the answer is looked at by somebody else and does not count as shown'),
    ...PublicationListQuery.properties,
  },
  { additionalProperties: true },
)

/** What a prediction asks for besides what the publications list takes. */
export const readPredict = (sent: ListRequest, problems: Problem[]): Asked => {
  const { publication_id, person_id, session_hash, history, explain, trial, ...filter } = sent.filter
  const read = (value: unknown, path: string): string | undefined => {
    if (value === undefined || value === '') return undefined
    return readers.id(value, path, problems) as string | undefined
  }
  const asked = {
    publicationId: read(publication_id, 'publication_id'),
    personId: read(person_id, 'person_id'),
    sessionHash: read(session_hash, 'session_hash'),
    history: readHistory(history, problems),
    explain: readYes(explain, 'explain', problems),
    trial: readYes(trial, 'trial', problems),
    request: { ...sent, filter },
  }
  if (asked.personId !== undefined && asked.sessionHash !== undefined)
    problems.push({ path: 'session_hash', message: 'cannot be combined with person_id' })
  return asked
}

const readYes = (value: unknown, path: string, problems: Problem[]): boolean =>
  value !== undefined && Boolean(readers.boolean(value, path, problems))

const readHistory = (value: unknown, problems: Problem[]): string[] => {
  const list = typeof value === 'string' ? value.split(',') : value === undefined ? [] : value
  const ids = Array.isArray(list) ? list.filter((id) => id !== '') : undefined
  if (ids && ids.length <= longestHistory && ids.every((id) => typeof id === 'string' && id.length <= 200))
    return ids
  problems.push({ path: 'history', message: `must be up to ${longestHistory} ids of publications` })
  return []
}

/** The publications list with what a prediction takes besides, judged before the recommendation is looked for. */
export const predictList = {
  ...publicationList,
  faults: (request, actor) => {
    const problems: Problem[] = []
    const { request: listed } = readPredict(request, problems)
    return [...problems, ...publicationList.faults(listed, actor)]
  },
} satisfies ListOptions
