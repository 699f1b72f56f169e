import type { Marquee } from 'marquee-sdk'

/** The first texts of a publication without their markup. Parsed into a document that nothing runs in. */
export const textsIn = (items: Record<string, Marquee.ShownFieldValue> | undefined): string[] =>
  Object.entries(items ?? {})
    .flatMap(([name, value]) => {
      const { label, body } = value as { label: string; body?: unknown }
      return label === 'Text' && name !== 'title' && typeof body === 'string' ? [plain(body)] : []
    })
    .filter(Boolean)
    .slice(0, 2)

const plain = (html: string): string =>
  (new DOMParser().parseFromString(html.slice(0, 4000), 'text/html').body.textContent ?? '')
    .trim()
    .slice(0, 600)
