import { createElement, type ReactNode, useMemo } from 'react'
import classes from './Sources.module.css'

const shown = new Set(
  'p br b strong i em u s ul ol li blockquote h1 h2 h3 h4 h5 h6 code pre sub sup'.split(' '),
)
const deepest = 40

/** Rich text from outside, rebuilt from the few elements that are known; nothing else of it is taken over. */
export const RichText = ({ html }: { html: string }) => {
  const parts = useMemo(
    () => inside(new DOMParser().parseFromString(html.slice(0, 200_000), 'text/html').body, 0),
    [html],
  )
  return (
    <div className={classes.text} dir="auto">
      {parts}
    </div>
  )
}

const inside = (node: Node, depth: number): ReactNode[] =>
  depth > deepest ? [] : [...node.childNodes].map((child, index) => part(child, index, depth))

const part = (node: Node, key: number, depth: number): ReactNode => {
  if (node.nodeType === Node.TEXT_NODE) return node.textContent
  if (!(node instanceof Element)) return null
  const name = node.localName
  if (name === 'script' || name === 'style') return null
  const children = inside(node, depth + 1)
  const href = name === 'a' ? webAddress(node.getAttribute('href')) : undefined
  if (href)
    return (
      <a key={key} href={href} target="_blank" rel="noreferrer noopener">
        {children}
      </a>
    )
  if (name === 'br') return <br key={key} />
  return shown.has(name) ? createElement(name, { key }, ...children) : <span key={key}>{children}</span>
}

/** Only what a browser opens as a page. */
export const webAddress = (address: string | null): string | undefined =>
  address && /^https?:\/\//i.test(address) ? address : undefined
