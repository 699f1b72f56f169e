import { ApiError, type Marquee } from 'marquee-sdk'
import { api } from '../../../api/client.ts'
import { refresh as ask } from '../../../api/queries.ts'
import { keep, readKept } from './kept.ts'
import { bodyOf, draftFields, type Entries, entriesOf, keyOfPath } from './keys.ts'
import type { Facts, SaveState } from './state.ts'
import { makeStore } from './store.ts'
import { type Field, isSame, learnIds, toSend } from './values.ts'

export type Start = {
  environment: string
  /** Undefined for one that is still to be made. */
  id: string | undefined
  model: string | undefined
  fields: Field[]
  locale: string
}

const pause = 900
const unreachable = [0, 429, 502, 503, 504]

/** One publication on the desk: what is typed goes into its draft by itself, and nothing is ever lost on the way. */
export const makeWork = (start: Start) => {
  const { environment, fields, locale } = start
  const store = makeStore()
  const ids = new Map<string, string>()
  /** A creation that got no answer is repeated word for word, so that it cannot be done twice. */
  let creation: { key: string; batch: Entries } | undefined
  let { id } = start
  let etag: string | null = null
  let timer: number | undefined
  let running: Promise<boolean> | undefined
  let failures = 0

  const keptAs = () => id ?? `new.${start.model ?? ''}`
  const become = (state: SaveState): void => {
    store.values.set('$state', state)
    store.tell('$state')
  }
  const state = () => store.values.get('$state') as SaveState
  const keepPending = () => keep(environment, keptAs(), etag, store.pending, store.base)
  become({ kind: 'idle' })
  store.values.set('$facts', { id, locales: [], draft: {}, changed: {} } satisfies Facts)

  const take = (body: Marquee.Publication, tag: string | null): void => {
    etag = tag
    store.take(entriesOf(body, fields))
    store.values.set('$facts', factsOf(body))
    store.tell('$facts')
  }
  const read = async (): Promise<[Marquee.Publication, string | null]> => {
    const response = await api.fetch('GET', '/publications/{id}', {
      path: { id: id! },
      query: { draft: true, fields: draftFields },
    })
    return [await response.json(), response.headers.get('etag')]
  }

  const later = (delay: number): void => {
    clearTimeout(timer)
    timer = window.setTimeout(() => save(), delay)
  }
  const typed = (): void => {
    if (store.pending.size === 0) return
    keepPending()
    if (state().kind === 'conflict') return
    if (!running) become({ kind: 'waiting' })
    later(pause)
  }
  store.watch('$pending', typed)

  const ready = (): Entries => new Map([...store.pending].filter(([key]) => !store.faults.has(key)))

  const create = (batch: Entries): Promise<Response> => {
    const body = bodyOf(batch, locale, ids)
    const linked = Object.keys(body.items)
    const model = start.model ? { id: start.model } : undefined
    return api.fetch('POST', '/publications', {
      query: { fields: draftFields },
      headers: { 'idempotency-key': creation!.key },
      body: { label: 'Publication', model, locales: linked.length > 0 ? linked : [locale], ...body },
    })
  }
  const put = (batch: Entries): Promise<Response> =>
    api.fetch('PUT', '/publications/{id}', {
      path: { id: id! },
      query: { draft: true, fields: draftFields },
      headers: etag ? { 'if-match': etag } : {},
      body: bodyOf(batch, linkedLocale(), ids),
    })
  const linkedLocale = (): string => (store.values.get('$facts') as Facts).locales[0] ?? locale

  const arrived = (batch: Entries, body: Marquee.Publication, tag: string | null): void => {
    const theirs = entriesOf(body, fields)
    for (const [key, value] of batch) {
      learnIds(value, theirs.get(key), ids)
      store.base.set(key, theirs.get(key) ?? null)
      if (store.pending.get(key) === value) store.pending.delete(key)
    }
    const before = keptAs()
    id = body.id
    if (before !== id) keep(environment, before, null, new Map(), new Map())
    take(body, tag)
    keepPending()
  }

  const send = async (): Promise<boolean> => {
    clearTimeout(timer)
    const batch = creation?.batch ?? ready()
    if (batch.size === 0) return store.pending.size === 0
    if (!id) creation ??= { key: crypto.randomUUID(), batch }
    become({ kind: 'saving' })
    try {
      const response = await (id ? put(batch) : create(batch))
      failures = 0
      creation = undefined
      arrived(batch, await response.json(), response.headers.get('etag'))
    } catch (error) {
      return failed(error, batch)
    }
    become(store.pending.size === 0 ? { kind: 'saved', at: Date.now() } : { kind: 'waiting' })
    store.tell('$pending')
    return true
  }

  const failed = async (error: unknown, batch: Entries): Promise<boolean> => {
    const status = error instanceof ApiError ? error.status : -1
    if (status === 412) return meet()
    if (unreachable.includes(status)) {
      failures += 1
      become({ kind: 'offline' })
      later(Math.min(2000 * 2 ** failures, 30_000))
      return false
    }
    creation = undefined
    const found = markFaults(error, batch)
    become({ kind: 'refused', error })
    // One field that is not taken does not hold up the others.
    return found && ready().size > 0 ? send() : false
  }
  const markFaults = (error: unknown, batch: Entries): boolean => {
    let found = false
    for (const { path, message } of error instanceof ApiError ? error.errors : []) {
      const key = keyOfPath(path, fields)
      if (!batch.has(key)) continue
      store.fault(key, message)
      found = true
    }
    return found
  }

  /** Somebody was faster: what they changed elsewhere is taken in, the same field is a matter of choice. */
  const meet = async (): Promise<boolean> => {
    const [body, tag] = await read()
    const theirs = entriesOf(body, fields)
    const keys = [...store.pending.keys()].filter((key) => {
      const [mine, other] = [store.pending.get(key), theirs.get(key) ?? null]
      return !isSame(store.base.get(key), other) && !isSame(toSend(mine, ids), toSend(other, ids))
    })
    take(body, tag)
    if (keys.length === 0) return send()
    become({ kind: 'conflict', keys })
    keepPending()
    return false
  }

  const save = (): Promise<boolean> => {
    if (state().kind === 'conflict') return Promise.resolve(false)
    running ??= send()
      .catch((error) => {
        become({ kind: 'refused', error })
        return false
      })
      .finally(() => {
        running = undefined
      })
    return running
  }
  /** Until nothing is left that could be sent. */
  const flush = async (): Promise<boolean> => {
    while (store.pending.size > 0) if (!(await save())) return false
    return true
  }

  return {
    key: crypto.randomUUID(),
    store,
    id: () => id,
    etag: () => etag,
    save: flush,
    isBusy: () => store.pending.size > 0 || running !== undefined,
    /** Opens it: what the service has, and upon it what was kept here. */
    open: async (): Promise<void> => {
      const kept = readKept(environment, keptAs())
      if (id) take(...(await read()))
      if (!kept) return
      if (kept.etag) etag = kept.etag
      for (const [key, value] of kept.base) store.base.set(key, value)
      for (const [key, value] of kept.pending) store.set(key, value)
      await save()
    },
    /** What others have done, while nothing of one's own is under way. */
    refresh: async (): Promise<void> => {
      if (!id || store.pending.size > 0 || running) return
      const found = await read()
      if (store.pending.size === 0 && !running) take(...found)
    },
    resolve: (choices: Record<string, 'mine' | 'theirs'>): void => {
      become({ kind: 'waiting' })
      for (const [key, choice] of Object.entries(choices)) if (choice === 'theirs') store.drop(key)
      if (store.pending.size === 0) become({ kind: 'saved', at: Date.now() })
      keepPending()
      save()
    },
    /** The network is back. */
    retry: (): void => {
      if (store.pending.size > 0) save()
    },
    markFaults: (error: unknown): void => {
      for (const { path, message } of error instanceof ApiError ? error.errors : [])
        store.fault(keyOfPath(path, fields), message)
    },
    reread: async (): Promise<void> => {
      take(...(await read()))
      ask('publications')
    },
  }
}

const factsOf = ({ id, locales = [], draft = {}, items = {} }: Marquee.Publication): Facts => {
  const times = (values: object) =>
    Object.values(values).map(({ changed_on, created_on }) => changed_on ?? created_on ?? '')
  const changed = Object.entries(items).map(([locale, values]) => [locale, times(values).sort().at(-1) ?? ''])
  return { id, locales, draft, changed: Object.fromEntries(changed) }
}

export type Work = ReturnType<typeof makeWork>
