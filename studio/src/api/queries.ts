import {
  infiniteQueryOptions,
  QueryClient,
  queryOptions,
  useInfiniteQuery,
  useQuery,
} from '@tanstack/react-query'
import { type Answer, ApiError, type Options, type Path } from 'marquee-sdk'
import { api } from './client.ts'

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 15_000,
      gcTime: 30 * 60_000,
      retry: (count, error) => error instanceof ApiError && [0, 502, 503].includes(error.status) && count < 3,
      refetchOnWindowFocus: true,
    },
  },
})

/** What an answer is kept under begins with the kind of record, which events name too. */
export const keyOf = (path: string, given?: object): unknown[] => {
  const kind = path.replace(/^\/v5/, '').split('/')[1]!
  return given === undefined ? [kind, path] : [kind, path, given]
}

/** Everything that is known of these kinds of records is asked again, where it is shown. */
export const refresh = (...kinds: string[]): void => {
  for (const kind of kinds) queryClient.invalidateQueries({ queryKey: [kind] })
}

type Given<P extends Path<'GET'>> = Options<'GET', P>
type Known<P extends Path<'GET'>> = Answer<'GET', P>

export const readOptions = <P extends Path<'GET'>>(path: P, given?: Given<P>) =>
  queryOptions({
    queryKey: keyOf(path, given as object),
    queryFn: ({ signal }) =>
      api.get(path, ...([{ ...(given as object), signal }] as never)) as Promise<Known<P>>,
  })

/** One answer, kept and refreshed by itself: `useRead('/channels/{id}', { path: { id } })`. */
export const useRead = <P extends Path<'GET'>>(
  path: P,
  given?: Given<P>,
  options: { enabled?: boolean } = {},
) => useQuery({ ...readOptions(path, given), ...options })

type Page = { items: unknown[]; after: string; total?: number; limit: number }
type Item<P extends Path<'GET'>> = Known<P> extends { items: (infer I)[] } ? I : never

/** `query` as in an address: names in brackets are passed on as they are. */
export const pagesOptions = <P extends Path<'GET'>>(path: P, query: object, limit = 50) =>
  infiniteQueryOptions({
    queryKey: keyOf(path, { pages: query, limit }),
    initialPageParam: undefined as string | undefined,
    queryFn: ({ signal, pageParam: after }) =>
      api.get(
        path,
        ...([{ query: { ...query, limit, ...(after && { after, total: false }) }, signal }] as never),
      ) as Promise<Page>,
    getNextPageParam: (last: Page) => (last.items.length === last.limit ? last.after : undefined),
    placeholderData: (before: { pages: Page[]; pageParams: (string | undefined)[] } | undefined) => before,
  })

/** A list that grows while it is scrolled; the rows that were shown stay until the next ones are there. */
export const usePages = <P extends Path<'GET'>>(
  path: P,
  query: object,
  { limit, ...options }: { limit?: number; enabled?: boolean } = {},
) => {
  const found = useInfiniteQuery({ ...pagesOptions(path, query, limit), ...options })
  const pages = found.data?.pages
  return {
    rows: (pages?.flatMap(({ items }) => items) ?? []) as Item<P>[],
    total: pages?.[0]?.total,
    isLoading: found.isLoading,
    isPlaceholder: found.isPlaceholderData,
    error: found.error,
    hasMore: found.hasNextPage,
    loadMore: () => {
      if (found.hasNextPage && !found.isFetchingNextPage) found.fetchNextPage()
    },
    retry: () => found.refetch(),
  }
}
