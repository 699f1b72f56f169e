import { BlockList, isIP } from 'node:net'

/** IANA's special-purpose registry, as far as it is not globally reachable. */
const reservedV4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
]

/** Of IPv6 only global unicast is public at all; these parts of it are protocols, tunnels and examples. */
const globalV6 = ['2000::/3']
const reservedV6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20']

const networks = (type: 'ipv4' | 'ipv6', names: string[]): BlockList => {
  const list = new BlockList()
  for (const name of names) {
    const [address = '', bits] = name.split('/')
    list.addSubnet(address, Number(bits), type)
  }
  return list
}

const reserved4 = networks('ipv4', reservedV4)
const global6 = networks('ipv6', globalV6)
const reserved6 = networks('ipv6', reservedV6)

/** Whether a socket may be opened to the address; anything that is no plain address may not. */
export const isPermitted = (address: string, allowed: BlockList): boolean => {
  if (isIP(address) === 4) return !reserved4.check(address, 'ipv4') || allowed.check(address, 'ipv4')
  const groups = groupsOf(address)
  if (!groups) return false
  const inner = embeddedV4(groups)
  if (inner !== undefined) return isPermitted(inner, allowed)
  return (
    (global6.check(address, 'ipv6') && !reserved6.check(address, 'ipv6')) || allowed.check(address, 'ipv6')
  )
}

/** Where packets for a mapped (::ffff:0:0/96) or translated (64:ff9b::/96, NAT64) address end up. */
const embeddedV4 = (groups: number[]): string | undefined => {
  const prefix = groups.slice(0, 6).join(':')
  if (prefix !== '0:0:0:0:0:65535' && prefix !== '100:65435:0:0:0:0') return undefined
  return groups
    .slice(6)
    .flatMap((group) => [group >> 8, group & 255])
    .join('.')
}

/** The URL parser writes every spelling of an address in one way, and knows no zones (fe80::1%eth0). */
const groupsOf = (address: string): number[] | undefined => {
  if (isIP(address) !== 6 || !URL.canParse(`http://[${address}]`)) return undefined
  const [before = '', after] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::')
  const head = numbers(before)
  const tail = numbers(after ?? '')
  return [...head, ...Array<number>(8 - head.length - tail.length).fill(0), ...tail]
}

const numbers = (text: string): number[] =>
  text === '' ? [] : text.split(':').map((part) => Number.parseInt(part, 16))
