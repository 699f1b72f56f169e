import type { Session } from '../../../database/session.ts'
import { trainModel } from '../model/model.ts'
import { begin, readInteractions, readPublications } from './read.ts'
import { gramSections, modelSections } from './sections.ts'
import { type ModelFacts, storeModel } from './store.ts'

/** Learns everything anew from what the environment's persons did, and stores it. */
export const learnAll = async (session: Session, environmentId: string): Promise<ModelFacts> => {
  const before = process.cpuUsage()
  await begin(session, environmentId)
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
  await storeModel(session, environmentId, facts, [...modelSections(model), ...gramSections(gram)])
  return facts
}
