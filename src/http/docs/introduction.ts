import type { Schema } from '../openapi/collect.ts'
import { curl } from './curl.ts'
import { type Html, html, jsonText, pre, prose } from './html.ts'

export type Chapter = { id: string; title: string; body: Html }

const authorization = 'Authorization: Bearer $TOKEN'
const id = '0199c2a4-7d1e-7c3a-9b52-3f1e8a6d4c20'
const etag = '"3-Zk4Qx1aB"'

/** What holds for every call, with calls that can be pasted. */
export const introduction = (
  base: string,
  responses: Record<string, Schema>,
  statuses: string[],
): Chapter[] => [
  { id: 'authentication', title: 'Authentication', body: authentication(base) },
  { id: 'requests', title: 'Requests', body: requests(base) },
  { id: 'lists', title: 'Lists', body: lists(base) },
  { id: 'filters', title: 'Filters', body: filters(base) },
  { id: 'fields', title: 'Fields', body: fields(base) },
  { id: 'idempotency', title: 'Idempotency', body: idempotency(base) },
  { id: 'etags', title: 'ETags', body: etags(base) },
  { id: 'errors', title: 'Errors', body: errors(Object.values(responses), statuses) },
]

const authentication = (base: string): Html => html`<p>${prose(
  'Every request carries an access token over HTTPS, in the header `Authorization: Bearer …` or, where a header cannot be set, in the query as `access_token`. A token belongs to one environment and holds scopes; each operation below says which ones it needs. An organisation token is good for several environments and names one in the header `Environment-Id`.',
)}</p><p>${prose(
  'A fresh installation signs its own certificate: add `-k` to these commands until it has one that your machine trusts.',
)}</p>
${pre(curl({ method: 'GET', url: `${base}/channels`, headers: [authorization] }), 'With a token')}
${pre(
  `curl -g -u "$CLIENT_ID:$CLIENT_SECRET" '${base}/oauth/access_token' \\\n  -d grant_type=client_credentials -d scope=channels`,
  'A token for an application',
)}`

const requests = (base: string): Html => html`<p>${prose(
  'Writes take `application/json`, `application/x-www-form-urlencoded` and `multipart/form-data` alike; in forms, nested names stand in brackets and an empty value is null or the empty list. On PUT, what is not sent stays as it is, lists are replaced, null removes. What a GET returned may be sent back: read-only names are ignored, any other unknown name is an error.',
)}</p>
${pre(
  `curl -g '${base}/channels' \\\n  -H "${authorization}" \\\n  -d name=Website \\\n  -d 'streams[0][url_ssl]=https://stream.example.org/radio.mp3'`,
  'The same write as a form',
)}`

const lists = (base: string): Html => html`<p>${prose(
  'A list answers with `items`, `total`, the cursors `after` and `before`, `skip` and `limit`. Walk through it with `after`: no item that was there throughout is repeated or skipped, however much is written meanwhile. The `Link` header holds the same steps ready to follow. `sort` takes several keys by comma, `-` for descending; `total=false` leaves the count out.',
)}</p>
${pre(curl({ method: 'GET', url: `${base}/channels?limit=2&sort=-created_on,name`, headers: [authorization] }), 'A page')}
${pre(
  jsonText({ items: ['…', '…'], total: 7, after: 'WyIyMDI2Il0', before: 'WyIyMDI3Il0', skip: 0, limit: 2 }),
  'Its envelope',
)}`

const operatorRows: [string, string][] = [
  ['eq', 'equals exactly'],
  ['neq', 'does not equal'],
  ['in', 'at least one of several: `slug[0][in]=site,app`'],
  ['all', 'every one of several'],
  ['has', '`true` or `false`: whether there is a value'],
  ['sw', 'starts with'],
  ['fz', 'words, typing errors and accents forgiven, the best first'],
  ['lt lte gt gte', 'comparisons of dates and numbers'],
  ['il', 'within so many seconds back from now'],
]

const filters = (base: string): Html => html`<p>${prose(
  'A filter names a field, an index and an operator: `name[0][fz]=web`. The index may be left out. Fields, objects and operators combine with and; `or[0][…]` and `or[1][…]` give alternatives. Where a field compares different things, `param` says which: `tags[0][eq]=news&tags[0][param]=slug`. Dates are ISO 8601 or epoch seconds, and as precise as they are written: `2026-11-01` is the whole day.',
)}</p>
<table><thead><tr><th>Operator</th><th>Meaning</th></tr></thead><tbody>${operatorRows.map(
  ([name, meaning]) => html`<tr><td><code>${name}</code></td><td>${prose(meaning)}</td></tr>`,
)}</tbody></table>
${pre(
  curl({
    method: 'GET',
    url: `${base}/channels?name[0][fz]=websit&created_on[0][gte]=2026-01-01`,
    headers: [authorization],
  }),
  'Words with a typing error, in a span of time',
)}
${pre(
  curl({
    method: 'GET',
    url: `${base}/channels?or[0][slug][eq]=site&or[1][name][sw]=App`,
    headers: [authorization],
  }),
  'One or the other',
)}`

const fields = (base: string): Html => html`<p>${prose(
  '`fields` adds to a body what it does not show by itself, and braces choose inside, up to three levels. Each operation lists the names it knows.',
)}</p>
${pre(
  curl({
    method: 'GET',
    url: `${base}/channels/${id}?fields=type,created_by{name}`,
    headers: [authorization],
  }),
  'More of a record',
)}`

const idempotency = (base: string): Html => html`<p>${prose(
  'A POST that carries an `Idempotency-Key` may be repeated for 24 hours, after a broken connection for instance: the record is made once, and the repeat gets it with the header `Idempotency-Replayed: true`. The same key with another request is 409.',
)}</p>
${pre(
  curl({
    method: 'POST',
    url: `${base}/channels`,
    headers: [authorization, 'Idempotency-Key: 7d0f3c52-8f0e-4f5b-9a55-0c7a6b1d2e3f'],
    body: { name: 'Website' },
  }),
  'Safe to repeat',
)}`

const etags = (base: string): Html => html`<p>${prose(
  'A single record comes with an `ETag`. Sent back in `If-None-Match`, it gives 304 while nothing has changed. Sent in `If-Match` with a PUT or DELETE, it makes sure that nobody else’s change is overwritten: if the record has changed, the answer is 412 and nothing happens.',
)}</p>
${pre(
  curl({
    method: 'PUT',
    url: `${base}/channels/${id}`,
    headers: [authorization, `If-Match: ${etag}`],
    body: { name: 'Main site' },
  }),
  'Change what was read',
)}`

const errors = (responses: Schema[], statuses: string[]): Html => html`<p>${prose(
  'An error has `code`, `message` and `dbtrace`, which names the request in the log; `type` where there are several reasons; and for bad input `errors`, with every bad field at once. With `Accept: application/problem+json` the same facts come as RFC 9457.',
)}</p>
<table><thead><tr><th>Status</th><th>When</th></tr></thead><tbody>${responses.map((response, index) => {
  const { message } = response.content['application/json'].example
  return html`<tr id="error-${statuses[index]}"><td><code>${statuses[index]}</code> ${message}</td><td>${prose(
    response.description,
  )}</td></tr>`
})}</tbody></table>
${pre(jsonText(responses[0]?.content['application/json'].example), 'A bad request')}`
