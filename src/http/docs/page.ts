import { createHash } from 'node:crypto'
import type { Document } from '../openapi/document.ts'
import { type Html, html, prose } from './html.ts'
import { type Chapter, introduction } from './introduction.ts'
import { badge, type Operation, operationSection, operationsOf, resolver } from './operation.ts'
import { style } from './style.ts'

type Part = { title: string; anchor: string; source: string; document: Document; operations: Operation[] }

const part = (title: string, anchor: string, source: string, document: Document): Part => ({
  title,
  anchor,
  source,
  document,
  operations: operationsOf(document, anchor),
})

/** The reference of both generations as one page that loads nothing and runs nothing. */
export const docsPage = (unversioned: Document, v5: Document): { html: string; policy: string } => {
  const parts = [
    part('Unversioned', 'unversioned', '/openapi.json', unversioned),
    part('Version 5', 'v5', '/v5/openapi.json', v5),
  ]
  const { responses } = unversioned.components
  const statuses = Object.values<Document>(responses).map((one) =>
    String(one.content['application/json'].example.code),
  )
  const chapters = introduction(unversioned.servers[0].url, responses, statuses)
  const page = html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><title>Marquee: reference</title>
<style>${{ html: style }}</style></head><body>
<a class="skip" href="#content">Skip to the content</a>
${navigation(chapters, parts)}
<main id="content">
<header class="top"><h1>Marquee</h1>
<p>Content, audience and media in one service. This page and the OpenAPI 3.1 documents it is made from are written by the running service itself, from the same schemas that check every request.</p>
<p class="links">${parts.map(({ source, title }) => html`<a href="${source}">${title}: <code>${source}</code></a>`)}</p></header>
${chapters.map(({ id, title, body }) => html`<section class="chapter" id="${id}"><h2>${title}</h2>${body}</section>`)}
${parts.map(partSection)}
</main></body></html>
`
  return { html: page.html, policy: contentPolicy }
}

/** The style sheet is the one thing the page may use, told by its hash. */
const contentPolicy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const byTag = (operations: Operation[]): [string, Operation[]][] =>
  Object.entries(Object.groupBy(operations, ({ operation }) => operation.tags[0] as string)).sort(
    ([a], [b]) => a.localeCompare(b),
  ) as [string, Operation[]][]

const slug = (text: string): string => text.toLowerCase().replace(/[^a-z0-9]+/g, '-')

const navigation = (chapters: Chapter[], parts: Part[]): Html => html`<nav aria-label="Contents">
<a class="brand" href="#content">Marquee</a>
<input type="checkbox" id="menu"><label for="menu">Contents</label>
<div class="tree"><h2>Introduction</h2><ul>${chapters.map(
  ({ id, title }) => html`<li><a href="#${id}">${title}</a></li>`,
)}</ul>
${parts.map(
  ({ title, anchor, operations }) => html`<h2><a href="#${anchor}">${title}</a></h2>
${byTag(operations).map(
  ([tag, items]) =>
    html`<details><summary>${tag}</summary><ul>${items.map(
      (item) => html`<li><a href="#${item.anchor}">${badge(item.method)} <span>${item.path}</span></a></li>`,
    )}</ul></details>`,
)}`,
)}</div></nav>`

const partSection = ({ title, anchor, document, operations }: Part): Html => {
  const { url } = document.servers[0]
  const resolve = resolver(document)
  return html`<section class="part" id="${anchor}"><h2>${title}</h2>
<p>${prose(`${document.info.description} Addresses begin with \`${url}\`.`)}</p>
${byTag(operations).map(
  ([tag, items]) =>
    html`<section class="group" id="${anchor}-${slug(tag)}"><h3>${tag}</h3>${items.map((item) =>
      operationSection(url, resolve, item),
    )}</section>`,
)}</section>`
}
