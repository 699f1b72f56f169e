import { isIP, type LookupFunction } from 'node:net'
import { buildConnector } from 'undici'
import { OutgoingFailure } from './failure.ts'
import type { LookUp } from './lookup.ts'

type Permits = (address: string) => boolean

/**
 * The one place where connections begin. The look-up belongs to the connection: the socket opens to the very answers
 * that were checked, while SNI and certificate stay those of the name.
 */
export const guardedConnector = (
  permits: Permits,
  lookUp: LookUp,
  ca: string | undefined,
): buildConnector.connector => {
  const connect = buildConnector({
    timeout: 5000,
    allowH2: false,
    rejectUnauthorized: true,
    ca,
    lookup: guardedLookup(permits, lookUp),
  })
  return (options, callback) => {
    // Sockets look nothing up for an address.
    if (isIP(options.hostname) !== 0 && !permits(options.hostname))
      callback(new OutgoingFailure('refused-address'), null)
    else connect(options, callback)
  }
}

const guardedLookup =
  (permits: Permits, lookUp: LookUp): LookupFunction =>
  (name, options, callback) => {
    checkedAddresses(permits, lookUp, name).then(
      (addresses) => {
        const found = addresses.map((address) => ({ address, family: isIP(address) }))
        if (options.all) callback(null, found)
        else callback(null, found[0]!.address, found[0]!.family)
      },
      (error) => callback(error, []),
    )
  }

/** One answer that is not permitted spoils the others: no honest name mixes public and private addresses. */
export const checkedAddresses = async (permits: Permits, lookUp: LookUp, name: string): Promise<string[]> => {
  const addresses = isIP(name) === 0 ? await lookUp(name).catch(() => []) : [name]
  if (addresses.length === 0) throw new OutgoingFailure('dns')
  if (!addresses.every(permits)) throw new OutgoingFailure('refused-address')
  return addresses
}
