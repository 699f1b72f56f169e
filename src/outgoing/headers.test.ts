import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isAllowedHeader } from './headers.ts'

test('a header of one’s own is allowed', () => {
  for (const [name, value] of [
    ['Authorization', 'Bearer abc'],
    ['X-Api-Key', ''],
    ['content-type', 'application/json; charset=utf-8'],
    ["!#$%&'*+-.^_`|~09az", 'a\tb'],
    ['__proto__', 'x'],
  ] as const)
    assert.ok(isAllowedHeader(name, value), name)
})

test('a header that frames the message or says who calls is refused, whatever its case', () => {
  const names = [
    'Host HOST Content-Length Transfer-Encoding Connection Keep-Alive Upgrade TE Trailer Expect Cookie Via',
    'Forwarded X-Forwarded-For x-forwarded-host X-Real-IP Proxy-Authorization Proxy-Connection Sec-Fetch-Site',
    'HTTP2-Settings',
  ].flatMap((line) => line.split(' '))
  assert.deepEqual(
    names.filter((name) => isAllowedHeader(name, 'x')),
    [],
  )
})

test('a name or value that could end the line is refused', () => {
  for (const name of ['', 'a b', 'a:', 'a\r\nb', 'a\0', 'é', ':path', 'a'.repeat(129), 'host\n'])
    assert.ok(!isAllowedHeader(name, 'x'), JSON.stringify(name))
  for (const value of ['a\r\nX: b', 'a\n', '\r', '\0', '\x7f', 'é', '日本', 'a'.repeat(8193)])
    assert.ok(!isAllowedHeader('X-A', value), JSON.stringify(value))
})
