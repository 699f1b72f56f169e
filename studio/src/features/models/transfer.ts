import type { Marquee } from 'marquee-sdk'
import { api } from '../../api/client.ts'
import { refresh } from '../../api/queries.ts'
import { toast, toastError } from '../../components/toast.tsx'
import { t } from '../../texts/index.ts'
import { type Model, modelOf, sentModel } from './use-model.ts'

type Sent = ReturnType<typeof sentModel>
/** In a file models are known by name: ids are of one environment alone. */
type ModelFile = { marquee: 'publication_models'; models: Sent[] }
export type Here = { id: string; model: Model }

export const readAllModels = async (): Promise<Here[]> => {
  const query = { limit: 1000, total: false, fields: 'fields' }
  const { items } = await api.get('/publication_models', { query })
  return items.map((item: Marquee.PublicationModel) => ({ id: item.id, model: modelOf(item) }))
}

const mapModels = (sent: Sent, map: (name: string) => string | undefined): Sent => ({
  ...sent,
  fields: sent.fields.map((field) => {
    const { models, ...rest } = field.validations ?? {}
    if (!models) return field
    const mapped = models.map(map).filter((name) => name !== undefined)
    return { ...field, validations: mapped.length > 0 ? { ...rest, models: mapped } : rest }
  }),
})

/** These models, or all of them, as a file. */
export const downloadModels = async (ids?: string[]): Promise<void> => {
  try {
    const all = await readAllModels()
    const names = new Map(all.map(({ id, model }) => [id, model.body]))
    const chosen = ids ? all.filter(({ id }) => ids.includes(id)) : all
    const models = chosen.map(({ model }) => mapModels(sentModel(model), (id) => names.get(id)))
    const file: ModelFile = { marquee: 'publication_models', models }
    const name = chosen.length === 1 ? chosen[0]!.model.body : 'models'
    save(`${name.replace(/[^\p{L}\p{N}]+/gu, '-')}.json`, JSON.stringify(file, null, 2))
    toast(t.models.transfer.downloaded)
  } catch (error) {
    toastError(t.models.export, error)
  }
}

const save = (name: string, text: string): void => {
  const url = URL.createObjectURL(new Blob([text], { type: 'application/json' }))
  const link = Object.assign(document.createElement('a'), { href: url, download: name })
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}

export const readModelFile = (text: string): Sent[] | undefined => {
  try {
    const file = JSON.parse(text) as ModelFile
    const isOurs =
      file.marquee === 'publication_models' &&
      Array.isArray(file.models) &&
      file.models.every((model) => typeof model.body === 'string' && Array.isArray(model.fields))
    return isOurs ? file.models : undefined
  } catch {
    return undefined
  }
}

export type Plan = {
  sent: Sent
  /** What has the same name here. */
  here: Here | undefined
  added: number
  removed: number
  changed: number
  /** Names of models that are led to and found nowhere. */
  missing: string[]
}

export const planImport = (models: Sent[], all: Here[]): Plan[] => {
  const names = new Map(all.map(({ id, model }) => [id, model.body]))
  const known = new Set([...all.map(({ model }) => model.body), ...models.map(({ body }) => body)])
  return models.map((sent) => {
    const here = all.find(({ model }) => model.body === sent.body)
    const before = new Map(
      (here ? mapModels(sentModel(here.model), (id) => names.get(id)).fields : []).map((field) => [
        field.api_id,
        JSON.stringify(sorted(field)),
      ]),
    )
    const led = sent.fields.flatMap((field) => field.validations?.models ?? [])
    return {
      sent,
      here,
      added: sent.fields.filter(({ api_id }) => !before.has(api_id)).length,
      removed: [...before.keys()].filter((name) => !sent.fields.some(({ api_id }) => api_id === name)).length,
      changed: sent.fields.filter(
        (field) => before.has(field.api_id) && before.get(field.api_id) !== JSON.stringify(sorted(field)),
      ).length,
      missing: [...new Set(led.filter((name) => !known.has(name)))],
    }
  })
}

const sorted = (value: unknown): unknown =>
  value && typeof value === 'object' && !Array.isArray(value)
    ? Object.fromEntries(
        Object.entries(value)
          .sort(([one], [other]) => (one < other ? -1 : 1))
          .map(([name, inner]) => [name, sorted(inner)]),
      )
    : value

export const isSameHere = ({ here, added, removed, changed, sent }: Plan): boolean =>
  here !== undefined &&
  added + removed + changed === 0 &&
  here.model.channels === (sent.channels ?? true) &&
  here.model.stories === (sent.stories ?? true) &&
  here.model.fields.every(({ api_id }, index) => sent.fields[index]?.api_id === api_id)

/** First what is new, without what it leads to, then everything with it: models may lead to each other. */
export const importModels = async (plans: Plan[], all: Here[]): Promise<void> => {
  const ids = new Map(all.map(({ id, model }) => [model.body, id]))
  const made: string[] = []
  const undo = async () => {
    const changed = plans.flatMap(({ here }) => (here ? [here] : []))
    for (const { id, model } of changed) await put(id, sentModel(model))
    for (const id of made) await api.delete('/publication_models/{id}', { path: { id } })
    refresh('publication_models')
  }
  try {
    for (const { sent, here } of plans)
      if (!here) {
        const body = mapModels(sent, () => undefined) as never
        const { id } = await api.post('/publication_models', { body })
        made.push(id)
        ids.set(sent.body, id)
      }
    for (const { sent } of plans)
      await put(
        ids.get(sent.body)!,
        mapModels(sent, (name) => ids.get(name)),
      )
  } catch (error) {
    // All or nothing: what was made before the fault is taken back.
    await undo().catch(() => {})
    throw error
  }
  refresh('publication_models')
  toast(t.models.transfer.done(String(plans.length)), undo)
}

const put = (id: string, body: Sent) =>
  api.put('/publication_models/{id}', { path: { id }, body: body as never })
