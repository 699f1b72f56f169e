import type { Marquee } from 'marquee-sdk'

/** The first texts of a publication, rich ones without their markup: parsed into a document that nothing runs in. */
export const textsIn = (items: Record<string, Marquee.ShownFieldValue> | undefined): string[] => {
  const texts = Object.entries(items ?? {}).flatMap(([name, value]) => {
    const { label, body, format } = value as { label: string; body?: unknown; format?: string | null }
    if (label !== 'Text' || name === 'title' || typeof body !== 'string') return []
    return [(format ? body : plain(body)).trim().slice(0, 600)]
  })
  return [...new Set(texts)].filter(Boolean).slice(0, 2)
}

const plain = (html: string): string =>
  new DOMParser().parseFromString(html.slice(0, 4000), 'text/html').body.textContent ?? ''
