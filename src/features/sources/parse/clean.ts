import { plainCode } from '../../publications/fields/sanitize.ts'

/** The words of what may be html, or text, or text that was escaped twice. */
export const plain = (html: string): string =>
  plainCode(html.slice(0, 200_000))
    .replace(/&(amp|lt|gt|quot|apos|nbsp|#39);/g, (_, name: keyof typeof entities) => entities[name])
    .replace(/\s+/g, ' ')
    .trim()
const entities = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ', '#39': "'" }

/** Without what cannot be stored: half a character, and none at all. */
const storable = (text: string): string => text.replaceAll('\0', '').toWellFormed()

export const shortened = (text: string, length: number): string =>
  storable(text.length <= length ? text : `${text.slice(0, length - 1)}…`)

/** An address that a browser may be sent to; null where it is none. */
export const linkOf = (address: string | undefined, base: string): string | null => {
  const url = address === undefined ? null : URL.parse(address.trim().slice(0, 4000), base)
  return url && /^(https?|ftps?):$/.test(url.protocol) && url.href.length <= 2000 ? url.href : null
}

/** Links in html that the sanitizer wrote; those to somewhere on its own host need the host. */
export const withLinks = (html: string, base: string): string =>
  html.replace(/<a href="([^"]*)"/g, (whole, address: string) => {
    if (/^(https?:|mailto:|tel:|#)/i.test(address)) return whole
    const link = linkOf(address.replaceAll('&amp;', '&'), base)
    return link ? `<a href="${link.replaceAll('&', '&amp;').replaceAll('"', '%22')}"` : '<a'
  })

export const firstImage = (html = ''): string | undefined =>
  /<img\b[^<>]{0,1000}?\ssrc\s*=\s*["']?([^"'\s<>]{1,2000})/i.exec(html)?.[1]?.replaceAll('&amp;', '&')
