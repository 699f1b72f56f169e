import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { noDocuments } from '../../src/features/recommendations/model/content.ts'
import { addEvent, emptyEvents } from '../../src/features/recommendations/model/events.ts'
import { type Model, trainModel } from '../../src/features/recommendations/model/model.ts'
import { predict } from '../../src/features/recommendations/model/score.ts'
import { defaultWeights } from '../../src/features/recommendations/model/weights.ts'

const depth = 20

/** Lines of "user item item …". */
const readSplit = (folder: string, name: string): number[][] =>
  readFileSync(join(folder, name), 'utf8')
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number))

/** Learns from train and valid, and ranks all publications that a user has not had against those of test. */
export const judgeOffline = (folder: string): void => {
  const [train, valid, test] = ['train.txt', 'valid.txt', 'test.txt'].map((name) => readSplit(folder, name))
  const learned = new Map<number, number[]>()
  for (const [user, ...items] of [...train!, ...valid!])
    learned.set(user!, [...(learned.get(user!) ?? []), ...items])
  const users = [...learned.keys()]
  const items = Math.max(...[...train!, ...valid!, ...test!].map(([, ...own]) => Math.max(-1, ...own))) + 1
  const events = emptyEvents()
  users.forEach((user, person) => {
    for (const item of learned.get(user)!) addEvent(events, person, item, 1, 0)
  })
  const ids = Array.from({ length: items }, (_, item) => String(item))
  const before = process.cpuUsage()
  const { model, lambda } = trainModel(ids, events, users.length, noDocuments(items), 0)
  const { user, system } = process.cpuUsage(before)
  const { recall, ndcg } = judge(model, learned, test!)
  const peak = process.resourceUsage().maxRSS / 1024
  console.log(
    `${users.length} users, ${items} items, ${events.length} interactions; lambda ${lambda.toFixed(1)}`,
  )
  console.log(
    `training ${((user + system) / 1e6).toFixed(1)} s CPU, peak of the process ${peak.toFixed(0)} MB`,
  )
  console.log(`Recall@20 ${recall.toFixed(4)}  NDCG@20 ${ndcg.toFixed(4)}`)
}

const judge = (model: Model, learned: Map<number, number[]>, test: number[][]) => {
  let recall = 0
  let ndcg = 0
  let count = 0
  for (const [user, ...wanted] of test) {
    if (wanted.length === 0) continue
    const own = learned.get(user!) ?? []
    const past = own.map((item) => ({ item, strength: 1 }))
    const found = predict(model, past, { ...defaultWeights, sessions: 0 }, new Set(own), depth)
    const hits = found.map(({ item }) => wanted.includes(item))
    const gain = (at: number) => 1 / Math.log2(at + 2)
    const ideal = wanted.slice(0, depth).reduce((sum, _, at) => sum + gain(at), 0)
    recall += hits.filter(Boolean).length / wanted.length
    ndcg += hits.reduce((sum, hit, at) => sum + (hit ? gain(at) : 0), 0) / ideal
    count++
  }
  return { recall: recall / count, ndcg: ndcg / count }
}
