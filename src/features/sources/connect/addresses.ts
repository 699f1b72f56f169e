/** An address below the microblog's own. */
export const addressOf = (base: string, path: string, query: Record<string, string>): string => {
  const url = new URL(path, base.endsWith('/') ? base : `${base}/`)
  url.search = new URLSearchParams(query).toString()
  return url.href
}

export const hashtagUrl = (base: string, tag: string): string =>
  addressOf(base, `tags/${encodeURIComponent(tag)}`, {})
