import sanitizeHtml from 'sanitize-html'

/** Basic rich text. What stands inside other tags stays as text, save where it is no text at all. */
const richText: sanitizeHtml.IOptions = {
  allowedTags: ['p', 'br', 'strong', 'b', 'em', 'i', 'u', 's', 'sub', 'sup', 'ul', 'ol', 'li', 'a'],
  allowedAttributes: { a: ['href', 'target', 'rel'] },
  allowedSchemes: ['http', 'https', 'mailto', 'tel'],
  allowedSchemesAppliedToAttributes: ['href'],
  nonTextTags: [
    ...['script', 'style', 'textarea', 'option', 'title', 'xmp', 'iframe', 'object', 'noembed', 'noframes'],
    ...['noscript', 'template', 'svg', 'math'],
  ],
  parseStyleAttributes: false,
  // An empty one would be left of a target that is not allowed.
  transformTags: {
    a: (tagName, attribs) => ({ tagName, attribs: withoutOtherTargets(attribs) }),
  },
}

const withoutOtherTargets = (attribs: sanitizeHtml.Attributes): sanitizeHtml.Attributes =>
  ['_blank', '_self', undefined].includes(attribs.target)
    ? attribs
    : Object.fromEntries(Object.entries(attribs).filter(([name]) => name !== 'target'))

export const maxNesting = 200
/** In all the html of one locale that a write brings: each takes 2 to 5 µs. */
export const maxMarks = 100_000
export const countMarks = (html: string): number => {
  let count = 0
  for (const _ of html.matchAll(/[<&]/g)) count += 1
  return count
}

class TooDeep extends Error {}

const token =
  /<(p|strong|b|em|i|u|s|sub|sup|ul|ol|li)>|<(a) href="(?:https?:\/\/|mailto:|tel:|[/#])[\w./?=%#~:,+@-]*"(?: target="_blank")?(?: rel="[a-z ]*")?>|<\/(\w+)>|<br \/>|&(?:amp|lt|gt|quot);/y

/** Whether html is already as the sanitizer writes it, seen in a twentieth of the time; false also when in doubt. */
const isClean = (html: string): boolean => {
  const marks = /[<>&]/g
  const open: string[] = []
  for (let mark = marks.exec(html); mark; mark = marks.exec(html)) {
    token.lastIndex = mark.index
    const [text, tag, link, closed] = token.exec(html) ?? []
    if (text === undefined || (closed && open.pop() !== closed) || open.length >= maxNesting) return false
    if (tag ?? link) open.push((tag ?? link)!)
    marks.lastIndex = mark.index + text.length
  }
  return open.length === 0
}

/**
 * Safe html, which stays the same when it is sanitized again: links in links, for one, take a second time until they
 * do. Undefined where tags are nested too deep: the time that parsing takes grows with the square of the depth.
 */
export const sanitize = (html: string): string | undefined => {
  let clean: string | undefined = html
  for (let times = 0; times < 5 && clean !== undefined && !isClean(clean); times += 1) {
    const before: string = clean
    clean = sanitizeOnce(before)
    if (clean === before) break
  }
  return clean
}

const sanitizeOnce = (html: string): string | undefined => {
  let depth = 0
  const onOpenTag = () => {
    depth += 1
    if (depth > maxNesting) throw new TooDeep()
  }
  const onCloseTag = () => {
    depth -= 1
  }
  try {
    return sanitizeHtml(html, { ...richText, onOpenTag, onCloseTag })
  } catch (error) {
    if (error instanceof TooDeep) return undefined
    throw error
  }
}

/** The words of sanitized rich text. Tags between blocks part words, those inside a word do not. */
export const plainText = (html: string): string => {
  if (!/[<&]/.test(html)) return html
  return html
    .replace(/<\/?(?:p|br|ul|ol|li)\b[^<>]*>/g, ' ')
    .replace(tag, '')
    .replace(/&(lt|gt|quot|amp);/g, (_, name: keyof typeof entities) => entities[name])
}
const tag = /<[^<>]*>/g
const entities = { lt: '<', gt: '>', quot: '"', amp: '&' }

/** The words of raw html, where any tag may be the end of a block. */
export const plainCode = (html: string): string => {
  const parted = html.replaceAll('<', ' <')
  const clean = sanitize(parted)
  return clean === undefined ? parted.replace(tag, '') : plainText(clean)
}
