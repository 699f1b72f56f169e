import assert from 'node:assert/strict'
import { BlockList } from 'node:net'
import { test } from 'node:test'
import { isPermitted } from './addresses.ts'

const none = new BlockList()

const refused = [
  '0.0.0.0 0.255.255.255 10.0.0.0 10.255.255.255 100.64.0.0 100.127.255.255 127.0.0.1 127.255.255.255',
  '169.254.0.1 169.254.169.254 172.16.0.0 172.31.255.255 192.0.0.1 192.0.2.1 192.88.99.1 192.168.0.1',
  '192.168.255.255 198.18.0.0 198.19.255.255 198.51.100.7 203.0.113.7 224.0.0.1 239.1.1.1 240.0.0.1',
  '255.255.255.255 :: ::1 ::2 0:0:0:0:0:0:0:1 ::127.0.0.1 ::8.8.8.8 ::ffff:127.0.0.1 ::ffff:7f00:1',
  '0:0:0:0:0:ffff:7f00:1 ::FFFF:10.0.0.1 ::ffff:a9fe:a9fe ::ffff:0:7f00:1 64:ff9b::7f00:1',
  '64:ff9b::10.0.0.1 64:ff9b:1::1 2002:7f00:1:: 2002:a00:1::1 2001::1 2001:0:4136:e378:8000:63bf:3fff:fdd2',
  '2001:db8::1 3fff::1 100::1 fc00::1 fd12:3456::1 fe80::1 fe80::1%eth0 fec0::1 febf::1 ff02::1 ff0e::1',
  '4000::1 5f00::1',
].flatMap((line) => line.split(' '))

const permitted = [
  '1.1.1.1 8.8.8.8 9.255.255.255 11.0.0.0 100.63.255.255 100.128.0.0 126.255.255.255 128.0.0.1 169.253.255.255',
  '169.255.0.1 172.15.255.255 172.32.0.0 192.0.1.1 192.167.255.255 192.169.0.0 198.17.255.255 198.20.0.0',
  '223.255.255.255 ::ffff:8.8.8.8 64:ff9b::8.8.8.8 2606:4700::1111 2001:4860:4860::8888 2a00:1450::1',
].flatMap((line) => line.split(' '))

test('addresses that are not public are refused, in every spelling', () => {
  assert.deepEqual(
    refused.filter((address) => isPermitted(address, none)),
    [],
  )
})

test('public addresses are permitted', () => {
  assert.deepEqual(
    permitted.filter((address) => !isPermitted(address, none)),
    [],
  )
})

test('what is no address is refused', () => {
  for (const text of ['', 'localhost', '127.1', '8.8.8.8.', '8.8.8', '0x8.8.8.8', '[::1]', '8.8.8.8/32'])
    assert.equal(isPermitted(text, none), false, text)
})

test('an allowed network is permitted, also as the address inside another, and nothing beside it', () => {
  const allowed = new BlockList()
  allowed.addSubnet('10.1.0.0', 16, 'ipv4')
  allowed.addSubnet('fd00:1::', 32, 'ipv6')
  for (const address of ['10.1.2.3', '::ffff:10.1.2.3', '64:ff9b::10.1.2.3', 'fd00:1::5'])
    assert.ok(isPermitted(address, allowed), address)
  for (const address of ['10.2.0.1', '::ffff:10.2.0.1', '127.0.0.1', 'fd00:2::5', '::1', 'fe80::1'])
    assert.ok(!isPermitted(address, allowed), address)
})
