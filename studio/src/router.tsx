import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
} from '@tanstack/react-router'
import { parseSearch, stringifySearch } from './address.ts'
import { ErrorState } from './components/ErrorState.tsx'
import { Frame } from './frame/Frame.tsx'
import { NotFound } from './frame/NotFound.tsx'
import { areas } from './routes.tsx'
import { t } from './texts/index.ts'

const rootRoute = createRootRoute({
  component: Outlet,
  notFoundComponent: () => (
    <Frame>
      <NotFound />
    </Frame>
  ),
})

const framed = createRoute({
  getParentRoute: () => rootRoute,
  id: 'framed',
  component: () => (
    <Frame>
      <Outlet />
    </Frame>
  ),
})

const home = createRoute({
  getParentRoute: () => rootRoute,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: areas[0]!.pages[0].path, replace: true })
  },
})

const pagesOf = (isBare: boolean, parent: typeof framed) =>
  areas
    .flatMap((area) => area.pages)
    .filter(({ bare = false }) => bare === isBare)
    .map(({ path, load }) =>
      createRoute({
        getParentRoute: () => parent,
        path: path as string,
        validateSearch: (search: Record<string, unknown>) => search,
        component: lazyRouteComponent(load),
      }),
    )

export const makeRouter = (basepath: string) =>
  createRouter({
    routeTree: rootRoute.addChildren([
      home,
      ...pagesOf(true, rootRoute as never),
      framed.addChildren(pagesOf(false, framed)),
    ]),
    basepath,
    parseSearch,
    stringifySearch,
    defaultPreload: 'intent',
    defaultPreloadDelay: 40,
    defaultErrorComponent: ({ error, reset }) => (
      <ErrorState title={t.errors.failed(t.actions.open)} error={error} retry={reset} />
    ),
  })
