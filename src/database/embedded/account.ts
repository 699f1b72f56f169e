import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { Explained } from '../../explained.ts'

/** The system user that the server runs as. Without uid: the one of this process. */
export type Account = {
  name: string
  uid?: number
  gid?: number
  setpriv?: { file: string; capability: string }
}

type User = { name: string; uid: number; gid: number }

const isRoot = (): boolean => process.getuid?.() === 0

/** PostgreSQL refuses to run as root, so root hands it to another user, the same one at every start. */
export const chooseAccount = (folder: string, cluster: string): Account => {
  if (!isRoot()) return { name: 'this user' }
  const owner = statSync(cluster, { throwIfNoEntry: false })
  if (owner?.uid) return user(owner)
  const users = readUsers()
  // sudo in a folder of an ordinary user: that user can go on without sudo later.
  const keeper = users.find(({ uid }) => uid !== 0 && uid === statSync(folder).uid)
  const found =
    keeper ?? users.find(({ name }) => name === 'postgres') ?? users.find(({ name }) => name === 'nobody')
  if (found) return found
  throw new Explained(
    'PostgreSQL does not run as root, and /etc/passwd names neither "postgres" nor "nobody" to run it as. ' +
      'Run Marquee as an ordinary user, add the user postgres, or set DATABASE_URL.',
  )
}

/** An ordinary user can neither read nor run a cluster of another user. */
export const requireOwnership = (folder: string, cluster: string): void => {
  const owner = statSync(cluster, { throwIfNoEntry: false })
  const uid = process.getuid?.()
  if (!owner || !uid || owner.uid === uid) return
  const { name } = user(owner)
  throw new Explained(
    `The database in ${cluster} belongs to the user ${name}, and this is the user with id ${uid}. Run Marquee as ` +
      `${name} or as root, give the folder away (chown -R ${uid} ${folder}), or set MARQUEE_DATA to another folder.`,
  )
}

const user = ({ uid, gid }: { uid: number; gid: number }): User => ({
  name: readUsers().find((user) => user.uid === uid)?.name ?? `${uid}`,
  uid,
  gid,
})

const readUsers = (): User[] =>
  (existsSync('/etc/passwd') ? readFileSync('/etc/passwd', 'utf8') : '').split('\n').flatMap((line) => {
    const [name, , uid, gid] = line.split(':')
    // macOS writes nobody as -2.
    return name && uid && gid ? [{ name, uid: Number(uid) >>> 0, gid: Number(gid) >>> 0 }] : []
  })

/**
 * Lets the account pass folders that are closed to it (/root, a 0700 folder of mktemp) by one capability: the
 * server is not root, but passes the permission check. The narrower capability is taken where it is enough.
 */
export const withReach = (account: Account, folders: string[], program: string): Account => {
  if (account.uid === undefined) return account
  const allowed = permits(account as User)
  const closed = folders.flatMap((folder) => chain(folder)).find((path) => !allowed(path, 1))
  const unreadable = allowed(program, 5) ? undefined : program
  if (!closed && !unreadable) return account
  const held = heldCapabilities()
  const enough = unreadable ? ['dac_override'] : ['dac_read_search', 'dac_override']
  const capability = held.includes('setpcap') && enough.find((name) => held.includes(name))
  const file = ['/usr/bin', '/bin', '/usr/sbin', '/sbin'].map((path) => `${path}/setpriv`).find(existsSync)
  if (capability && file) return { ...account, setpriv: { file, capability } }
  throw new Explained(
    `PostgreSQL does not run as root but as the user ${account.name}, who may not enter ${closed ?? unreadable}. ` +
      `Move ${closed ? 'that folder' : 'the project'} to where other users may enter (chmod o+x, or outside of /root), ` +
      'run Marquee as an ordinary user, or set DATABASE_URL.',
  )
}

const permits =
  ({ uid, gid }: User) =>
  (path: string, bits: number): boolean => {
    const { mode, uid: owner, gid: group } = statSync(path)
    const shift = owner === uid ? 6 : group === gid ? 3 : 0
    return ((mode >> shift) & bits) === bits
  }

const chain = (path: string): string[] => {
  const real = realpathSync(path)
  return real === dirname(real) ? [real] : [...chain(dirname(real)), real]
}

const capabilityBits = { dac_override: 1n, dac_read_search: 2n, setpcap: 8n }

/** A container's root often lacks dac_read_search (Docker's default), and asking for it would fail. */
const heldCapabilities = (): string[] => {
  if (process.platform !== 'linux') return []
  const status = readFileSync('/proc/self/status', 'latin1')
  const mask = (name: string): bigint =>
    BigInt(`0x${new RegExp(`${name}:\\s*(\\w+)`).exec(status)?.[1] ?? 0}`)
  const held = mask('CapPrm') & mask('CapBnd')
  return Object.entries(capabilityBits).flatMap(([name, bit]) => ((held >> bit) & 1n ? [name] : []))
}

type Command = { file: string; args: string[]; options: { uid?: number; gid?: number } }

export const commandAs = ({ uid, gid, setpriv }: Account, file: string, args: string[]): Command => {
  if (uid === undefined) return { file, args, options: {} }
  if (!setpriv) return { file, args, options: { uid, gid: gid! } }
  const user = [`--reuid=${uid}`, `--regid=${gid}`, '--clear-groups']
  const privileges = [`--inh-caps=+${setpriv.capability}`, `--ambient-caps=+${setpriv.capability}`]
  // Without it access() ignores capabilities, and the programs, which ask it about themselves, do not start.
  const counted = '--securebits=+no_setuid_fixup'
  return { file: setpriv.file, args: [...user, counted, ...privileges, file, ...args], options: {} }
}
