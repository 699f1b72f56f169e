import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import {
  follow,
  type Item,
  itemsOf,
  pollAgain,
  polled,
  rss,
  type Source,
  startFollowing,
  startSite,
} from '../../../test/harness/feeds.ts'
import { forgetItems } from './items/jobs.ts'

const site = await startSite()
const now = Date.now()
const ago = (hours: number) => new Date(now - hours * 3_600_000).toUTCString()

/** Asked for at the beginning, because it takes as long as a poll may. */
const slow = startFollowing().then(async (app) => {
  const url = site.put('/slow', {
    answer: (response) => {
      response.writeHead(200, { 'content-type': 'application/rss+xml' })
      const timer = setInterval(() => response.write(' '), 1000)
      response.on('close', () => clearInterval(timer))
    },
  })
  return { app, source: await follow(app, url) }
})

/** What feeds as they were found come to. */
const readAll = async (feeds: Record<string, string | Buffer | { body: Buffer | string; type: string }>) => {
  const app = await startFollowing()
  const sources = await Promise.all(
    Object.entries(feeds).map(async ([path, feed]) => {
      const { body, type } =
        typeof feed === 'object' && 'type' in feed ? feed : { body: feed, type: 'application/xml' }
      return [
        path,
        await follow(app, site.put(`/${path}`, { body, headers: { 'content-type': type } })),
      ] as const
    }),
  )
  const found: Record<string, Source & { items: Item[] }> = {}
  for (const [path, source] of sources) {
    const after = await polled(app, source)
    found[path] = { ...after, items: await itemsOf(app, source) }
  }
  return found
}

const titles = (items: Item[]): (string | null)[] => items.map(({ title }) => title)

test('a feed becomes items with title, body, address, author, picture, date and reference', async () => {
  const feed = rss([
    {
      title: 'Sea lock &amp; harbour',
      link: 'https://news.example.org/1',
      guid: 'one',
      description: '&lt;p&gt;It &lt;b&gt;opens&lt;/b&gt; &lt;a href="/more"&gt;today&lt;/a&gt;&lt;/p&gt;',
      date: 'Sun, 01 Nov 2026 09:30:00 +0100',
      more: '<dc:creator>A. Writer</dc:creator><media:content url="https://img.example.org/1.jpg" medium="image"/>',
    },
  ])
  const { plain } = await readAll({ plain: feed })
  const { id: _id, created_on: _created, source, ...item } = plain!.items[0] as Item & { created_on: string }
  assert.deepEqual([plain!.error, source.id, source.name], [null, plain!.id, 'Harbour news'])
  assert.deepEqual(item, {
    label: 'SourceItem',
    title: 'Sea lock & harbour',
    body: '<p>It <b>opens</b> <a href="https://news.example.org/more">today</a></p>',
    url: 'https://news.example.org/1',
    author: 'A. Writer',
    image_url: 'https://img.example.org/1.jpg',
    published_on: '2026-11-01T08:30:00+00:00',
    reference_id: 'one',
    publication: null,
    asset: null,
  })
})

test('Atom, JSON Feed, RSS 1.0 and podcasts are read', async () => {
  const found = await readAll({
    atom: `<feed xmlns="http://www.w3.org/2005/Atom"><link href="https://a.example/"/><entry><id>urn:1</id>
      <title type="html">An &lt;b&gt;atom&lt;/b&gt;</title><link rel="alternate" href="/rel?a=1&amp;b=2"/><updated>2026-11-01T00:00:00Z</updated>
      <content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml"><p>Hi <b>there</b></p></div></content>
      <author><name>N. Ame</name></author></entry></feed>`,
    json: {
      type: 'application/feed+json',
      body: JSON.stringify({
        version: 'https://jsonfeed.org/version/1.1',
        title: 'x',
        items: [
          {
            id: 7,
            content_text: '1 < 2 & \0 \ud800',
            url: 'https://j.example/7',
            image: 'https://j.example/7.png',
          },
        ],
      }),
    },
    rdf: `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/"
      xmlns:dc="http://purl.org/dc/elements/1.1/"><channel rdf:about="https://r.example"><title>R</title></channel>
      <item rdf:about="https://r.example/1"><title>Old but good</title><link>https://r.example/1</link>
      <dc:date>2026-11-02T10:00:00+01:00</dc:date></item></rdf:RDF>`,
    podcast: rss([
      {
        title: 'Episode 1',
        guid: 'ep-1',
        more: '<enclosure url="https://p.example/1.mp3" type="audio/mpeg" length="1"/><itunes:image href="https://p.example/1.jpg"/><itunes:author>The crew</itunes:author><itunes:summary>About boats</itunes:summary>',
      },
    ]),
  })
  const short = Object.fromEntries(
    Object.entries(found).map(([path, { items }]) => {
      const { title, body, url, author, image_url, reference_id } = items[0]!
      return [path, [title, body, url, author, image_url, reference_id]]
    }),
  )
  assert.deepEqual(short, {
    atom: ['An atom', '<p>Hi <b>there</b></p>', 'https://a.example/rel?a=1&b=2', 'N. Ame', null, 'urn:1'],
    json: [
      '1 < 2 & \ufffd',
      '1 &lt; 2 &amp;  \ufffd',
      'https://j.example/7',
      null,
      'https://j.example/7.png',
      '7',
    ],
    rdf: ['Old but good', null, 'https://r.example/1', null, null, 'https://r.example/1'],
    podcast: [
      'Episode 1',
      'About boats',
      'https://p.example/1.mp3',
      'The crew',
      'https://p.example/1.jpg',
      'ep-1',
    ],
  })
})

test('text is read in whatever encoding it is written, and whatever is said of it', async () => {
  const feed = (encoding: string) =>
    `<?xml version="1.0" encoding="${encoding}"?>${rss([{ title: 'Café Zürich', guid: '1' }]).replace(/<\?.*?\?>/, '')}`
  const found = await readAll({
    declared: Buffer.from(feed('iso-8859-1'), 'latin1'),
    undeclared: Buffer.from(feed('utf-8'), 'latin1'),
    utf16: Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(feed('utf-16'), 'utf16le')]),
    marked: `\ufeff\n ${feed('utf-8')}`,
    mislabelled: { body: feed('utf-8'), type: 'text/xml; charset=iso-8859-1' },
    unknown: { body: feed('utf-8'), type: 'text/xml; charset=x-nobody-knows' },
  })
  for (const [path, { items }] of Object.entries(found))
    assert.deepEqual(titles(items), ['Café Zürich'], path)
})

test('what is broken is read as far as it can be', async () => {
  const whole = rss([
    { title: 'First', guid: '1' },
    { title: 'Second', guid: '2' },
    { title: 'Third', guid: '3' },
  ])
  const found = await readAll({
    truncated: whole.slice(0, whole.indexOf('<title>Third') + 9),
    ampersand: rss([{ title: 'Ships & boats', link: 'https://n.example/?a=1&b=2', guid: '1' }]),
    entities: rss([
      { title: 'Caf&eacute;&nbsp;No&#39;l &amp;amp; &amp;quot;so&amp;quot; &unknown;', guid: '1' },
    ]),
    junk: `<!-- made by hand -->\n<b>Warning</b>: deprecated ${whole}`,
    inside: whole.replace(
      '<title>Second</title>',
      '<title>Second</title><description><![CDATA[never closed</description>',
    ),
    unclosed: whole.replace(
      '<title>Second</title>',
      '<title>Second</title><description><p>one<br>two</description>',
    ),
    empty: rss([]),
    untitled: rss([{ description: '&lt;p&gt;Only a body&lt;/p&gt;', guid: '1' }]),
  })
  const expected: Record<string, string[]> = {
    truncated: ['First', 'Second'],
    ampersand: ['Ships & boats'],
    entities: ['Café No\'l & "so" &unknown;'],
    junk: ['First', 'Second', 'Third'],
    unclosed: ['First', 'Second', 'Third'],
    empty: [],
    untitled: ['Only a body'],
  }
  for (const [path, wanted] of Object.entries(expected)) {
    assert.deepEqual([found[path]!.error, titles(found[path]!.items)], [null, wanted], path)
  }
  assert.ok(titles(found.inside!.items).includes('First'))
  assert.equal(found.ampersand!.items[0]!.url, 'https://n.example/?a=1&b=2')
})

test('dates that are wrong, ahead or absent do not keep an item from its place', async () => {
  const { dates } = await readAll({
    dates: rss([
      { title: 'no date', guid: '1' },
      { title: 'ahead', guid: '2', date: 'Fri, 01 Jan 2100 00:00:00 GMT' },
      { title: 'nonsense', guid: '3', date: 'yesterday' },
      { title: 'forgotten', guid: '4', date: 'Thu, 01 Jan 1970 00:00:00 GMT' },
      { title: 'summer', guid: '5', date: 'Sat, 01 Aug 2026 12:00:00 CEST' },
      { title: 'wrong day', guid: '6', date: 'Mon, 01 Aug 2026 12:00:00 +0000' },
      { title: 'no zone', guid: '7', date: '2026-08-01 12:00:00' },
      { title: 'another language', guid: '8', date: 'sam., 01 Aug 2026 12:00:00 GMT' },
    ]),
  })
  const on = new Map(dates!.items.map(({ title, published_on }) => [title, published_on]))
  for (const title of ['no date', 'ahead', 'nonsense', 'forgotten'])
    assert.ok(Math.abs(Date.parse(on.get(title)!) - Date.now()) < 60_000, title)
  assert.equal(on.get('summer'), '2026-08-01T10:00:00+00:00')
  for (const title of ['wrong day', 'no zone', 'another language'])
    assert.equal(on.get(title), '2026-08-01T12:00:00+00:00', title)
})

test('items without an id of their own are told apart by what they say', async () => {
  const { missing, shared } = await readAll({
    missing: rss([
      { title: 'A', link: 'https://n.example/a' },
      { title: 'B', link: 'https://n.example/b' },
      { title: 'C' },
      { title: 'C' },
    ]),
    shared: rss([
      { title: 'A', guid: 'https://n.example', link: 'https://n.example/a' },
      { title: 'B', guid: 'https://n.example', link: 'https://n.example/b' },
    ]),
  })
  assert.deepEqual(titles(missing!.items).sort(), ['A', 'B', 'C'])
  assert.deepEqual(titles(shared!.items).sort(), ['A', 'B'])
})

/** Ways by which script has got through sanitizers. */
const attacks = [
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '<svg><animate onbegin=alert(1) attributeName=x dur=1s>',
  '<a href="javascript:alert(1)">x</a>',
  '<a href="jAvAsCrIpT&colon;alert(1)">x</a>',
  '<a href="&#1;javascript:alert(1)">x</a>',
  '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=alert(1)&gt;">',
  '<noscript><p title="</noscript><img src=x onerror=alert(1)>">',
  '<iframe srcdoc="<script>alert(1)</script>"></iframe>',
  '<p style="background:url(javascript:alert(1))" onclick=alert(1)>x</p>',
  '<<script>script>alert(1)<</script>/script>',
  '<textarea><script>alert(1)</script></textarea>',
]

test('no script of a feed is left in what is shown of it', async () => {
  const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
  const { attack, json } = await readAll({
    attack: rss(
      attacks.map((html, n) => ({
        title: escaped(html),
        description: `<![CDATA[${html}]]>`,
        guid: `${n}`,
        link: 'javascript:alert(1)',
        more: `<media:thumbnail url="javascript:alert(1)"/><dc:creator>${escaped(html)}</dc:creator>`,
      })),
    ),
    json: {
      type: 'application/json',
      body: JSON.stringify({
        version: 'https://jsonfeed.org/version/1.1',
        title: 'x',
        items: attacks.map((html, n) => ({
          id: `${n}`,
          content_html: html,
          url: 'data:text/html,x',
          image: 'file:///etc/passwd',
        })),
      }),
    },
  })
  assert.equal(attack!.items.length, attacks.length)
  for (const { body, url, image_url } of [...attack!.items, ...json!.items]) {
    assert.doesNotMatch(body ?? '', /<(?!\/?(p|b|a|br)\b)|javascript:|\son\w+\s*=\s*[^"]*>/i)
    assert.deepEqual([url, /^(http|null)/.test(String(image_url))], [null, true])
  }
})

test('a page that is no feed is said to be none, and where its feed is', async () => {
  const { page, text } = await readAll({
    page: {
      type: 'text/html',
      body: '<!doctype html><html><head><link rel="alternate" type="application/rss+xml" href="/feed.xml"></head></html>',
    },
    text: { type: 'text/plain', body: 'Nothing here' },
  })
  assert.deepEqual(
    [page!.failed, page!.error],
    [1, 'What is at the address is a web page, not a feed; its feed is at /feed.xml'],
  )
  assert.deepEqual([text!.failed, text!.error], [1, 'What is at the address is not a feed'])
})

test('an item is there once, however often its feed is asked and though it is forgotten after seven days', async () => {
  const app = await startFollowing()
  const feed = (...names: string[]) => rss(names.map((title) => ({ title, guid: title, date: ago(1) })))
  const source = await follow(app, site.put('/again', feed('A', 'B')))
  await polled(app, source)
  site.put('/again', feed('C', 'B', 'A'))
  await pollAgain(app, source)
  const items = await itemsOf(app, source)
  assert.deepEqual(titles(items).sort(), ['A', 'B', 'C'])
  const [{ id }] = items.filter(({ title }) => title === 'B') as [Item]
  await app.sql`update source_items set created_on = now() - interval '7 days 1 second' where id = ${id}`
  await forgetItems(app.context)
  assert.equal((await app.get(`/v5/sources/items/${id}`)).status, 404)
  site.put('/again', feed('D', 'C', 'B', 'A'))
  await pollAgain(app, source)
  assert.deepEqual(titles(await itemsOf(app, source)).sort(), ['A', 'C', 'D'])
  assert.equal((await app.get('/v5/sources/items')).body.total, 3)
})

test('a feed is asked whether it has changed, and what has not is not read again', async () => {
  const app = await startFollowing()
  const headers = { etag: '"v1"', 'last-modified': ago(5) }
  const source = await follow(
    app,
    site.put('/etag', { body: rss([{ title: 'A', guid: 'a', date: ago(1) }]), headers }),
  )
  const first = await polled(app, source)
  const second = await pollAgain(app, source)
  const asked = site.asked.filter(({ path }) => path === '/etag').map((one) => one.headers)
  assert.deepEqual(
    asked.map((one) => [one['if-none-match'], one['if-modified-since']]),
    [
      [undefined, undefined],
      ['"v1"', headers['last-modified']],
    ],
  )
  assert.ok(second.fetched_on! > first.fetched_on!)
  assert.deepEqual([second.failed, second.last_import], [0, first.last_import])
  site.put('/etag', { body: rss([{ title: 'B', guid: 'b', date: ago(1) }]), headers: { etag: '"v2"' } })
  const third = await pollAgain(app, source)
  assert.ok(third.last_import! > first.last_import!)
})

test('a feed that fails is asked later each time, and is as before once it answers', async () => {
  const app = await startFollowing()
  const url = site.put('/failing', { status: 503, headers: { 'retry-after': '20000' } })
  const source = await follow(app, url)
  const once = await polled(app, source)
  assert.deepEqual([once.failed, once.error], [1, 'The answer was 503'])
  assert.ok(once.next_fetch_on! - once.fetched_on! >= 20_000_000)
  site.put('/failing', { status: 500 })
  const delays: number[] = []
  for (let n = 0; n < 3; n += 1) {
    const { next_fetch_on, fetched_on } = await pollAgain(app, source)
    delays.push((next_fetch_on! - fetched_on!) / source.interval / 1000)
  }
  for (const [n, delay] of delays.entries()) assert.ok(Math.abs(delay / 2 ** (n + 2) - 1) < 0.11, `${delays}`)
  await app.sql`update source_polls set failed = 40 where id = ${source.id}`
  const late = await pollAgain(app, source)
  assert.ok(late.next_fetch_on! - late.fetched_on! <= 1.1 * 86_400_000)
  site.put('/failing', rss([{ title: 'Back', guid: '1', date: ago(1) }]))
  const back = await pollAgain(app, source)
  assert.deepEqual([back.failed, back.error], [0, null])
  assert.ok(back.next_fetch_on! - back.fetched_on! <= 1.1 * back.interval * 1000)
})

test('how often a feed is asked is learned from its items, unless it is told', async () => {
  const hourly = Array.from({ length: 24 }, (_, n) => ({ title: `${n}`, guid: `${n}`, date: ago(n + 0.5) }))
  const { busy, quiet, resting } = await readAll({
    busy: rss(hourly),
    quiet: rss([{ title: 'Old', guid: 'x', date: ago(24 * 30) }]),
    resting: rss(hourly, '<ttl>240</ttl>'),
  })
  assert.deepEqual([busy!.frequency, busy!.adaptive], [25, true])
  assert.ok(busy!.interval > 1500 && busy!.interval < 2000, `${busy!.interval}`)
  assert.ok(Math.abs((busy!.next_fetch_on! - busy!.fetched_on!) / 1000 / busy!.interval - 1) < 0.11)
  assert.deepEqual([quiet!.frequency, quiet!.interval], [0, 21_600])
  assert.ok(resting!.next_fetch_on! - resting!.fetched_on! >= 240 * 60_000)
  const app = await startFollowing()
  const fixed = await app.post('/v5/sources', {
    label: 'Rss',
    name: 'Fixed',
    url: `${site.origin}/busy`,
    interval: 120,
  })
  const after = await polled(app, fixed.body)
  assert.deepEqual([after.interval, after.adaptive, after.frequency], [120, false, 25])
})

test('bombs come to nothing: entities, compression, more items than there are, and what takes long to read', async () => {
  const entities = Array.from({ length: 9 }, (_, n) => `<!ENTITY e${n + 1} "${`&e${n};`.repeat(10)}">`).join(
    '',
  )
  const from = performance.now()
  const app = await startFollowing()
  const body = gzipSync(Buffer.alloc(20_000_000, 'a'))
  const gzip = await follow(app, site.put('/gzip', { body, headers: { 'content-encoding': 'gzip' } }))
  const { lol, many } = await readAll({
    lol: `<?xml version="1.0"?><!DOCTYPE r [<!ENTITY e0 "lol">${entities}<!ENTITY f SYSTEM "file:///etc/passwd">]>${rss([{ title: '&e9;&f;', guid: '1' }]).replace(/<\?.*?\?>/, '')}`,
    many: rss(Array.from({ length: 5000 }, (_, n) => ({ title: `${n}`, guid: `${n}` }))),
    attributes: `<rss version="2.0" ${'a '.repeat(1_200_000)}><channel><item><title>A</title></item></channel></rss>`,
  })
  const { failed, error } = await polled(app, gzip)
  assert.deepEqual([failed, error], [1, 'The answer is too large'])
  assert.deepEqual(titles(lol!.items), ['&e9;&f;'])
  assert.equal(many!.items.length, 500)
  assert.ok(performance.now() - from < 20_000)
})

test('a feed that comes byte by byte is left after ten seconds', async () => {
  const { app, source } = await slow
  const { failed, error } = await polled(app, source)
  assert.deepEqual([failed, error], [1, 'There was no complete answer in time'])
})
