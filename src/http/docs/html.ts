/** Text that is already HTML; everything else is escaped on its way in. */
export type Html = { readonly html: string }

type Value = Html | string | number | undefined | false | readonly Value[]

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => entities[character]!)

const render = (value: Value): string => {
  if (value === undefined || value === false) return ''
  if (Array.isArray(value)) return value.map(render).join('')
  return typeof value === 'object' ? (value as Html).html : escaped(String(value))
}

export const html = (parts: TemplateStringsArray, ...values: Value[]): Html => ({
  html: parts.reduce((text, part, index) => text + render(values[index - 1]) + part),
})

/** Words between backticks become code, as descriptions write them. */
export const prose = (text: string): Html =>
  html`${text.split('`').map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part))}`

export const pre = (text: string, caption?: string): Html =>
  html`<figure class="example">${caption && html`<figcaption>${caption}</figcaption>`}<pre>${text}</pre></figure>`

export const jsonText = (value: unknown): string =>
  typeof value === 'string' ? value : JSON.stringify(value, null, 2)
