import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BadConfiguration, readConfig } from '../src/config.ts'

const fails = (env: Record<string, string>): string => {
  try {
    readConfig(env)
  } catch (error) {
    assert.ok(error instanceof BadConfiguration)
    return error.message
  }
  assert.fail('the configuration was taken')
}

test('without any setting there are defaults', () => {
  const config = readConfig({})
  assert.equal(config.port, 8443)
  assert.equal(config.httpPort, 8080)
  assert.equal(config.publicUrl, 'https://localhost:8443')
  assert.match(config.data, /\.marquee$/)
})

test('every wrong value is named at once, with what it must be', () => {
  const message = fails({
    MARQUEE_PORT: '99999',
    MARQUEE_TRUST_PROXY: '10.0.0.0/8,nonsense',
    MARQUEE_PUBLIC_URL: 'http://example.org',
    MARQUEE_CORS_ORIGINS: 'https://example.org/path',
    MARQUEE_REDIRECT_URLS: 'https://www.example.org/in,http://www.example.org/in',
    SMTP_URL: 'mail.example.org',
    LOG_LEVEL: 'loud',
  })
  for (const part of [
    'MARQUEE_PORT',
    '"nonsense"',
    'MARQUEE_PUBLIC_URL',
    'MARQUEE_CORS_ORIGINS',
    'MARQUEE_REDIRECT_URLS "http://www.example.org/in"',
    'SMTP_URL',
    'LOG_LEVEL',
  ])
    assert.ok(message.includes(part), `${part} in ${message}`)
})

test('an unknown MARQUEE_ name is refused and told what was probably meant', () => {
  assert.match(fails({ MARQUEE_PROT: '1' }), /MARQUEE_PROT .*did you mean MARQUEE_PORT\?/)
  assert.doesNotThrow(() => readConfig({ SOMETHING_ELSE: '1' }))
})

test('settings that need one another are asked for together', () => {
  assert.match(fails({ DATABASE_URL: 'postgres://localhost/x' }), /MARQUEE_SECRET_KEY is required/)
  assert.match(fails({ MARQUEE_TLS_CERT: 'package.json' }), /MARQUEE_TLS_KEY/)
  assert.match(
    fails({ S3_BUCKET: 'media' }),
    /S3_ENDPOINT, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY are needed/,
  )
})

test('proxies are addresses and networks of both families', () => {
  const { trustProxy } = readConfig({ MARQUEE_TRUST_PROXY: '10.0.0.0/8, ::1' })
  assert.equal(trustProxy.check('10.1.2.3'), true)
  assert.equal(trustProxy.check('::1', 'ipv6'), true)
  assert.equal(trustProxy.check('11.0.0.1'), false)
})
