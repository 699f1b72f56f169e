import type { FastifyReply } from 'fastify'

const html = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>This link no longer works</title>
<h1>This link no longer works</h1>
<p>A sign-in link works once, within 15 minutes. Please ask for a new one.</p>
</html>
`

/** What a browser shows of a link that was used, is too old or never was one. */
export const sendDeadLink = (reply: FastifyReply): never =>
  reply
    .code(404)
    .type('text/html; charset=utf-8')
    .header('Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'; base-uri 'none'")
    .send(html) as never
