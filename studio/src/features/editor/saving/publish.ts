import { ApiError } from 'marquee-sdk'
import { api } from '../../../api/client.ts'
import { localeKey } from './keys.ts'
import type { Facts } from './state.ts'
import type { Work } from './work.ts'

/** The draft of these locales, and what belongs to all, becomes what readers see. */
export const publish = async (work: Work, locales: string[]): Promise<void> => {
  const { store } = work
  const before = locales.map((locale) => [locale, store.values.get(localeKey('status', locale))] as const)
  for (const locale of locales) store.set(localeKey('status', locale), { body: 'Done' })
  if (!(await work.save())) return
  try {
    await api.post('/publications/{id}/publish', {
      path: { id: work.id()! },
      headers: work.etag() ? { 'if-match': work.etag()! } : {},
      body: { locales, all: true },
    })
  } catch (error) {
    // Without anything to publish it is published as it is.
    if (!(error instanceof ApiError && error.type === 'NoDraft')) {
      for (const [locale, status] of before) if (status) store.set(localeKey('status', locale), status)
      await work.save()
      if (error instanceof ApiError && error.status === 400) work.markFaults(error)
      if (error instanceof ApiError && error.status === 412) await work.reread()
      throw error
    }
  }
  await work.reread()
}

/** Locales that have something readers do not see. */
export const openLocales = ({ draft }: Facts): string[] => Object.keys(draft).filter((name) => name !== 'all')

/** Back to what readers see. */
export const discard = async (work: Work): Promise<void> => {
  await api.delete('/publications/{id}/draft', { path: { id: work.id()! } })
  await work.reread()
}
