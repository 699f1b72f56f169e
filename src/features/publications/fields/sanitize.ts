import sanitizeHtml from 'sanitize-html'

/** Basic rich text. What stands inside other tags stays as text, save where it is no text at all. */
const richText: sanitizeHtml.IOptions = {
  allowedTags: ['p', 'br', 'strong', 'b', 'em', 'i', 'u', 's', 'sub', 'sup', 'ul', 'ol', 'li', 'a'],
  allowedAttributes: { a: ['href', { name: 'target', values: ['_blank', '_self'] }, 'rel'] },
  allowedSchemes: ['http', 'https', 'mailto', 'tel'],
  allowedSchemesAppliedToAttributes: ['href'],
  nonTextTags: [
    ...['script', 'style', 'textarea', 'option', 'title', 'xmp', 'iframe', 'object', 'noembed', 'noframes'],
    ...['noscript', 'template', 'svg', 'math'],
  ],
  // Deeper markup is no text that anyone wrote; the parser's stack stays small.
  nestingLimit: 50,
  parseStyleAttributes: false,
}

export const sanitize = (html: string): string => (/[<>&"]/.test(html) ? sanitizeHtml(html, richText) : html)

/** The words of sanitized rich text. Tags between blocks part words, those inside a word do not. */
export const plainText = (html: string): string => {
  if (!/[<&]/.test(html)) return html
  return html
    .replace(/<\/?(?:p|br|ul|ol|li)\b[^>]*>/g, ' ')
    .replace(/<[^>]*>/g, '')
    .replace(/&(lt|gt|quot|amp);/g, (_, name: keyof typeof entities) => entities[name])
}
const entities = { lt: '<', gt: '>', quot: '"', amp: '&' }

/** The words of raw html, where any tag may be the end of a block. */
export const plainCode = (html: string): string => plainText(sanitize(html.replaceAll('<', ' <')))
