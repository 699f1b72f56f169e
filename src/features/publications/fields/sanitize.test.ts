import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { maxNesting, plainCode, plainText, sanitize } from './sanitize.ts'

test('basic rich text stays as it is', () => {
  for (const html of [
    '<p>One <strong>two</strong> <b>three</b> <em>four</em> <i>five</i></p>',
    '<ul><li>a</li><li><u>b</u> <s>c</s></li></ul><ol><li>H<sub>2</sub>O<sup>!</sup></li></ol>',
    '<a href="https://a.example/?q=1&amp;r=2" target="_blank" rel="noopener">a</a>',
    '<a href="mailto:a@b.example">m</a><a href="tel:+31">t</a><a href="/news#top">r</a>',
    'a plain line, 5 € — “quoted”',
  ])
    assert.equal(sanitize(html), html)
})

test('plain text survives as text', () => {
  assert.equal(sanitize('a < b & c'), 'a &lt; b &amp; c')
  assert.equal(sanitize('1 > 0 && "x"'), '1 &gt; 0 &amp;&amp; "x"')
  assert.equal(plainText(sanitize('a < b & c > "d"')!), 'a < b & c > "d"')
  assert.equal(plainText(sanitize('&amp;lt;b&amp;gt;')!), '&lt;b&gt;')
})

/** Whatever a parser makes of it, there is no tag, attribute or address besides those allowed. */
const allowed =
  /^(?:[^<>]|<\/?(?:p|strong|b|em|i|u|s|sub|sup|ul|ol|li)>|<br ?\/?>|<\/a>|<a(?: (?:target|rel|href)="[^"<>]*")*>)*$/
const checkSafe = (html: string): void => {
  const clean = sanitize(html)!
  assert.match(clean, allowed, html)
  for (const [, href] of clean.matchAll(/href="([^"]*)"/g)) {
    const scheme = /^[\s\0-\x20]*([a-z][a-z0-9+.-]*)\s*:/i.exec(href!.replaceAll('&amp;', '&'))?.[1]
    assert.ok(
      !scheme || ['http', 'https', 'mailto', 'tel'].includes(scheme.toLowerCase()),
      `${html} → ${href}`,
    )
  }
  assert.equal(sanitize(clean), clean, html)
}

test('what could run code is taken out', () => {
  const attacks = [
    '<script>alert(1)</script>',
    '<img src=x onerror=alert(1)>',
    '<b onmouseover="alert(1)" style="position:fixed" class="x">b</b>',
    '<a href="javascript:alert(1)">x</a>',
    '<a href=" java\nscript:alert(1)">x</a>',
    '<a href="&#106;avascript&colon;alert(1)">x</a>',
    '<a href="\x01javascript:alert(1)">x</a>',
    '<a href="data:text/html,<script>alert(1)</script>">x</a>',
    '<a href="vbscript:x">x</a>',
    '<a href="https://a.example" onclick="x" target="top">x</a>',
    '<svg><script>alert(1)</script></svg>',
    '<svg onload=alert(1)>',
    '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=alert(1)&gt;">',
    '<svg></p><style><a id="</style><img src=1 onerror=alert(1)>">',
    '<noscript><p title="</noscript><img src=x onerror=alert(1)>">',
    '<form><math><mtext></form><form><mglyph><style></math><img src onerror=alert(1)>',
    '<<b>script>alert(1)<</b>/script>',
    '<scr<script>ipt>alert(1)</scr</script>ipt>',
    '<p><b>unclosed <i>nested',
    '</p></b>stray',
    '<a href="https://a.example/&quot;onmouseover=alert(1)">x</a>',
    '<a href=https://a.example/"onmouseover="alert(1)>x</a>',
    '<iframe srcdoc="<script>alert(1)</script>"></iframe>',
    '<object data="x"></object><embed src=x><base href="//x"><meta http-equiv=refresh content=0>',
    '<template><script>alert(1)</script></template>',
    '<xmp><p title="</xmp><img src=x onerror=alert(1)>">',
    '<!--><img src=x onerror=alert(1)>-->',
    '<![CDATA[<img src=x onerror=alert(1)>]]>',
    '<?xml <img src=x onerror=alert(1)>?>',
    '<textarea><img src=x onerror=alert(1)></textarea>',
    '<title></title><img src=x onerror=alert(1)>',
    '<p\0onclick=alert(1)>x</p>',
    '<b/onclick=alert(1)>x</b>',
    '<',
    '<a',
    '<a href="',
    '&lt;script&gt;alert(1)&lt;/script&gt;',
    `${'<b>'.repeat(150)}x`,
  ]
  for (const attack of attacks) checkSafe(attack)
  assert.equal(sanitize('<script>alert(1)</script>a<svg><b>x</b></svg>'), 'a')
  assert.equal(sanitize('<div><h1>T</h1><img src=x onerror=y>x</div>'), 'Tx')
})

test('whatever is sent is safe and stays the same when it is sent again', () => {
  const piece = fc.constantFrom(
    ...[
      '<',
      '>',
      '</',
      '/>',
      '"',
      "'",
      '=',
      '&',
      ';',
      ' ',
      '<!--',
      '-->',
      '<![CDATA[',
      ']]>',
      '<?',
      '&lt',
      '&#x3c;',
    ],
    ...['script', 'svg', 'math', 'style', 'a', 'b', 'p', 'br', 'li', 'img', 'noscript', 'textarea', 'title'],
    ...['href', 'onerror', 'javascript:', 'https://a.example', 'data:', '&colon;', '\n', '\t', 'é', '\u00a0'],
  )
  const markup = fc.array(fc.oneof({ weight: 9, arbitrary: piece }, fc.string()), { maxLength: 30 })
  fc.assert(
    fc.property(markup, (parts) => checkSafe(parts.join(''))),
    { numRuns: 1000, interruptAfterTimeLimit: 8000, markInterruptAsFailure: false },
  )
})

test('html that is taken for clean is safe, and what comes out is taken as it is', () => {
  const piece = fc.constantFrom(
    ...[
      '<p>',
      '</p>',
      '<b>',
      '</b>',
      '<li>',
      '</li>',
      '<br />',
      '&amp;',
      '&lt;',
      'x',
      ' ',
      '>',
      '"',
      '&',
      '<',
    ],
    ...[
      '<a href="https://a.example/?b=c">',
      '</a>',
      '<a href="http://a.example" onclick="x">',
      '<p class="x">',
    ],
    ...[
      '</script>',
      '<script>',
      '<b >',
      '<a>',
      '<a href="https://a.example/&quot;>',
      '<a href="javascript:x">',
    ],
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (parts) => checkSafe(parts.join(''))),
    { numRuns: 1500, interruptAfterTimeLimit: 8000, markInterruptAsFailure: false },
  )
  for (const open of ['<b>x', 'x</b>', '<b><i>x</b></i>', '</script>', 'a > b'])
    assert.notEqual(sanitize(open), open, open)
})

test('words are parted by blocks, not by what stands inside of them', () => {
  assert.equal(plainText('<p>One</p><p>t<b>w</b>o</p>').trim().replace(/\s+/g, ' '), 'One two')
  assert.equal(plainText('<a href="https://a.example">x</a>'), 'x')
  const code = plainCode('<div>One</div><div class="two">two &amp; three</div><script>four</script>')
  assert.equal(code.trim().replace(/\s+/g, ' '), 'One two & three')
})

test('tags that are nested too deep are not parsed to the end', () => {
  const deep = (depth: number) => `${'<b>'.repeat(depth)}x${'</b>'.repeat(depth)}`
  assert.equal(sanitize(deep(maxNesting)), deep(maxNesting))
  const started = performance.now()
  for (const piece of ['<b>', '<b></i>', '<x>', '<b><!--</b>-->'])
    assert.equal(sanitize(piece.repeat(1_000_000 / piece.length)), undefined, piece)
  assert.ok(performance.now() - started < 2000)
})
