/** XML without what stands before its root, and without a document type: entities of its own are not expanded. */
export const repaired = (text: string): string => {
  const start = text.indexOf('<')
  return start < 0 ? '' : withoutDoctype(text.slice(start))
}

const withoutDoctype = (xml: string): string => {
  const start = /<!doctype\b/i.exec(xml.slice(0, 10_000))?.index
  if (start === undefined || /^<!doctype\s+html\b/i.test(xml.slice(start, start + 30))) return xml
  const bracket = xml.indexOf('[', start)
  const plainEnd = xml.indexOf('>', start)
  const hasSubset = bracket >= 0 && bracket < plainEnd
  const end = hasSubset ? xml.indexOf('>', Math.max(xml.indexOf(']>', bracket), bracket)) : plainEnd
  return end < 0 ? '' : xml.slice(0, start) + xml.slice(end + 1)
}

const ends = ['item', 'entry'] as const

/** What broke off, closed behind its last whole item; undefined where it has none. */
export const closed = (xml: string): string | undefined => {
  for (const name of ends) {
    const at = xml.lastIndexOf(`</${name}>`)
    if (at >= 0) return `${xml.slice(0, at)}</${name}>${tailOf(xml)}`
  }
  return undefined
}

/** No more than so many items: what is behind them is not even parsed. */
export const firstItems = (xml: string, most: number): string => {
  const end = xml.includes('</item>') ? '</item>' : '</entry>'
  let at = 0
  for (let count = 0; count < most; count += 1) {
    const found = xml.indexOf(end, at)
    if (found < 0) return xml
    at = found + end.length
  }
  return xml.includes(end, at) ? xml.slice(0, at) + tailOf(xml) : xml
}

const rootOf = (xml: string): RegExpExecArray | null => /<(rss|feed|rdf:RDF)\b[^<>]{0,20000}>/i.exec(xml)

const tailOf = (xml: string): string => {
  const root = rootOf(xml)?.[1]
  if (root === undefined) return ''
  return root.toLowerCase() === 'rss' ? `</channel></${root}>` : `</${root}>`
}

/** Each item in a feed of its own, so that one that cannot be read does not take the others with it. */
export const itemsApart = (xml: string, most: number): string[] => {
  const root = rootOf(xml)
  if (!root) return []
  const name = xml.includes('</item>') ? 'item' : 'entry'
  const isRss = root[1]!.toLowerCase() === 'rss'
  const [head, tail] = [root[0] + (isRss ? '<channel>' : ''), tailOf(xml)]
  const items: string[] = []
  let from = root.index
  while (items.length < most) {
    const end = xml.indexOf(`</${name}>`, from)
    if (end < 0) break
    const start = xml.lastIndexOf(`<${name}`, end)
    if (start >= from) items.push(`${head}${xml.slice(start, end)}</${name}>${tail}`)
    from = end + name.length + 3
  }
  return items
}
