import { useQuery } from '@tanstack/react-query'
import type { Marquee } from 'marquee-sdk'
import { useSyncExternalStore } from 'react'
import { readOptions } from './queries.ts'
import { currentAccess, watchAccess } from './session.ts'

/** What the user may do here. Only a hint for what is offered: the service decides. */
export const useCan = (): ((scope?: string) => boolean) => {
  const access = useSyncExternalStore(watchAccess, currentAccess)
  return (scope) => scope === undefined || access === undefined || access.scopes.has(scope)
}

const long = { staleTime: 5 * 60_000 }

export const useMe = (): Marquee.User | undefined => useQuery({ ...readOptions('/users/me'), ...long }).data

export const useEnvironments = (): Marquee.Environment[] =>
  useQuery({ ...readOptions('/environments', { query: { limit: 1000 } }), ...long }).data?.items ?? []

/** The environment that is open: its locales, its default one and its time zone. */
export const useEnvironment = (): Marquee.Environment | undefined => {
  const access = useSyncExternalStore(watchAccess, currentAccess)
  return useEnvironments().find(({ id }) => id === access?.environmentId)
}
