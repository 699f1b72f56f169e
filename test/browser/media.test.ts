import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chromium } from 'playwright-core'
import { startApp } from '../harness/app.ts'
import { chromiumPath } from '../harness/chromium.ts'
import { addFile } from '../harness/files.ts'

const call = (from: string): string => `fetch('/canary?${from}')`
const html = (from: string): string =>
  `<!doctype html><script>${call(from)}</script><img src=x onerror="${call(from)}">`
const svg = (from: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" onload="${call(from)}"><script>${call(from)}</script>` +
  `<foreignObject><iframe xmlns="http://www.w3.org/1999/xhtml" srcdoc="&lt;script&gt;${call(from)}&lt;/script&gt;"/></foreignObject></svg>`
/** A picture to who looks at its first bytes, and a script to who runs it. */
const gif = (from: string): string => `GIF89a=0;${call(from)};/*${'\0'.repeat(50)}*/`

/** Every way by which a page can come to run what an address gives. */
const embedded = (url: string): string =>
  `<iframe src="${url}"></iframe><object data="${url}"></object><embed src="${url}"><img src="${url}">` +
  `<script src="${url}"></script><link rel="stylesheet" href="${url}"><video src="${url}"></video>`

test('nothing that was uploaded runs in a browser, wherever it is put and whatever it pretends to be', async () => {
  const app = await startApp()
  const urls: string[] = []
  for (const [name, bytes, types] of [
    ['svg', svg, ['image/svg+xml', 'image/png', 'text/xml']],
    ['html', html, ['text/html', 'image/jpeg', 'audio/mpeg', 'video/mp4', 'application/pdf', null]],
    ['gif', gif, ['image/gif', 'application/javascript', 'text/javascript']],
  ] as const)
    for (const mime_type of types) {
      const content = Buffer.from(bytes(`${name}-${mime_type}`))
      const file = { mime_type: mime_type ?? 'text/html', bytes: content }
      const id = await addFile(app, content, { mime_type, files: { 'page.html': file } })
      urls.push(`/media/${id}/${urls.length % 2 ? 'original/' : ''}page.html`)
    }
  const browser = await chromium.launch({ executablePath: chromiumPath(), args: ['--no-sandbox'] })
  try {
    const context = await browser.newContext({ baseURL: app.origin, ignoreHTTPSErrors: true })
    const page = await context.newPage()
    const ran: string[] = []
    await context.route('**/canary?*', (route) => {
      ran.push(route.request().url())
      return route.fulfill({ body: '' })
    })
    page.on('dialog', (dialog) => {
      ran.push(dialog.message())
      void dialog.dismiss()
    })
    let content = ''
    await context.route('**/attack', (route) => route.fulfill({ contentType: 'text/html', body: content }))
    await context.route('**/control.html', (route) =>
      route.fulfill({ contentType: 'text/html', body: html('x') }),
    )

    content = embedded('/control.html')
    await page.goto('/attack', { waitUntil: 'networkidle' })
    assert.ok(ran.length > 0, 'the same bytes run where they are served carelessly')

    ran.length = 0
    for (let from = 0; from < urls.length; from += 4) {
      content = urls
        .slice(from, from + 4)
        .map(embedded)
        .join('')
      await page.goto('/attack', { waitUntil: 'load' })
    }
    // Opened by itself, it is a download or a page that can do nothing.
    for (const url of urls)
      await page.goto(url).catch((error) => assert.match(String(error), /download|ERR_ABORTED/i))
    await page.goto('/livez', { waitUntil: 'networkidle' })
    assert.deepEqual(ran, [])
  } finally {
    await browser.close()
  }
})
