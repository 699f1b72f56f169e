import type { ChannelRow } from '../channels/table.ts'

/** Addresses that run or hold something wherever they are followed. An app may have a scheme of its own. */
const refused = /^(javascript|vbscript|data|blob|file):$/

/** The address that a channel constructs for a publication; none where it would be something else. */
export const constructUrl = (template: string | null, id: string, slug: string | null): string | null => {
  if (template === null) return null
  const values: Record<string, string> = { id, slug: slug ?? '' }
  // In one go: what is filled in may look like a name itself.
  const url = template.replace(/\{(id|slug)\}/g, (_, name: string) => encodeURIComponent(values[name]!))
  return URL.canParse(url) && !refused.test(new URL(url).protocol) ? url : null
}

type Templates = Pick<ChannelRow, 'share_construct_url' | 'preview_construct_url'>

export const addressesOf = (channel: Templates | undefined, id: string, slug: string | null) => ({
  share_url: constructUrl(channel?.share_construct_url ?? null, id, slug),
  preview_url: constructUrl(channel?.preview_construct_url ?? null, id, slug),
})
