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
/** In all the html of one locale that a write brings: each takes about 2 µs. */
export const maxMarks = 100_000
export const countMarks = (html: string): number => {
  let count = 0
  for (const _ of html.matchAll(/[<&]/g)) count += 1
  return count
}

class TooDeep extends Error {}

/** Undefined where tags are nested too deep: the time that parsing takes grows with the square of the depth. */
export const sanitize = (html: string): string | undefined => {
  if (!/[<>&"]/.test(html)) return html
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
