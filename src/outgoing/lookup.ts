import { lookup, Resolver } from 'node:dns/promises'

export type LookUp = (name: string) => Promise<string[]>

/**
 * The name servers are asked directly, because the system's look-up waits in one of two threads that the whole
 * process has for it: two names of a hostile name server that never answers would stop every other look-up. Names
 * that they do not know may stand in the hosts file or need a search domain.
 */
export const lookUpBy =
  (resolver: Resolver): LookUp =>
  async (name) => {
    if (!name.replace(/\.$/, '').includes('.')) return system(name)
    const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
    const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
    if (addresses.length > 0) return addresses
    if (answers.every((answer) => answer.status === 'fulfilled' || unknown.has(answer.reason.code)))
      return system(name)
    throw new Error('No name server answered')
  }

export const lookUp = lookUpBy(new Resolver({ timeout: 1500, tries: 2 }))

const unknown = new Set(['ENOTFOUND', 'ENODATA', 'ECONNREFUSED'])

const system: LookUp = async (name) =>
  (await lookup(name, { all: true, order: 'verbatim' })).map(({ address }) => address)
