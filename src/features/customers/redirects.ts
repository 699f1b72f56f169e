import type { Config } from '../../config.ts'
import type { EnvironmentRow } from '../access/table.ts'

/** Where sign-in links may lead: what the operator and the environment have listed. */
export const allowedRedirects = (config: Config, { settings }: EnvironmentRow): string[] => [
  ...config.redirectUrls,
  ...((settings.redirect_urls as string[] | undefined) ?? []),
]

/**
 * A listed address stands for itself with any query. One that ends in a slash also stands for what is below it, unless
 * the way there has an encoded slash or dot that somebody might read as a step up.
 */
export const isAllowed = (listed: readonly string[], address: string): boolean => {
  const url = new URL(address)
  if (url.username !== '' || url.password !== '') return false
  return listed.some((text) => {
    const { origin, pathname } = new URL(text)
    if (url.origin !== origin) return false
    const isBelow = pathname.endsWith('/') && url.pathname.startsWith(pathname)
    return url.pathname === pathname || (isBelow && !/%(2e|2f|5c)/i.test(url.pathname))
  })
}

/** The address with the temporary token, which replaces whatever claimed to be one. */
export const withToken = (address: string, token: string): string => {
  const url = new URL(address)
  url.searchParams.set('access_token', token)
  return url.href
}
