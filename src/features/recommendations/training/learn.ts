import type { Session } from '../../../database/session.ts'
import { trainModel } from '../model/model.ts'
import { begin, readInteractions, readPublications } from './read.ts'
import { gramSections, modelSections } from './sections.ts'
import { type Begun, learningLock, type ModelFacts, seenUntil, storeModel } from './store.ts'

/** Learns everything anew from what the environment's persons did, and stores it. */
export const learnAll = async (session: Session, environmentId: string): Promise<ModelFacts> => {
  const before = process.cpuUsage()
  await session`select pg_advisory_lock_shared(${learningLock}, hashtext(${environmentId}))`
  const contentOn = await seenUntil(session)
  await begin(session, environmentId)
  const begun = { contentOn, ...(await waiting(session, environmentId)) }
  const { ids, documents } = await readPublications(session, environmentId)
  const { events, persons, newest } = await readInteractions(session, ids)
  await session.run('commit')
  const now = Math.max(newest, Math.floor(Date.now() / 1000))
  const { model, gram, lambda } = trainModel(ids, events, persons, documents, now)
  const { user, system } = process.cpuUsage(before)
  const facts = {
    publications: ids.length,
    interactions: events.length,
    persons,
    lambda,
    seconds: (user + system) / 1e6,
  }
  const sections = [...modelSections(model), ...gramSections(gram)]
  await storeModel(session, environmentId, facts, sections, begun)
  return facts
}

/** What this will have learned once it ends well. */
const waiting = async (session: Session, environmentId: string): Promise<Omit<Begun, 'contentOn'>> => {
  const [known] = await session<{ pending: string }[]>`
    select pending from recommendation_learning where environment_id = ${environmentId}`
  const touched = await session<{ publication_id: string; times: number }[]>`
    select publication_id, times from recommendation_touched where environment_id = ${environmentId}`
  return { pending: known?.pending ?? '0', touched }
}
