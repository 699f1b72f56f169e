/** Where a record is shown, by its kind. An area that shows a kind of record says so here. */
const pages: Record<string, (id: string) => { to: string; search?: Record<string, string> }> = {
  publications: (id) => ({ to: '/content', search: { peek: id } }),
}

export const linkOf = (kind: string, id: string): { to: string; search?: Record<string, string> } =>
  pages[kind]?.(id) ?? { to: '/content', search: { q: id } }
