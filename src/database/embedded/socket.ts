import { chmodSync, lchownSync, lstatSync, mkdirSync, rmSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { Explained } from '../../explained.ts'
import type { Account } from './account.ts'
import type { PidFile } from './pidfile.ts'
import type { Place } from './place.ts'

const port = 5432
const inside = 'socket'
const socketName = `.s.PGSQL.${port}`

/** macOS takes 103 bytes, Linux 107. */
const fits = (folder: string): boolean => Buffer.byteLength(join(folder, socketName)) <= 103

export const socketFolder = ({ folder, name }: Place): string => {
  const found = [join(folder, inside), join(tmpdir(), name), join('/tmp', name)].find(fits)
  if (found) return found
  throw new Explained(
    `No folder has a path short enough for a socket: ${folder}. Set MARQUEE_DATA to a shorter path.`,
  )
}

/** Called when no server runs on the cluster: what is left in the folder is stale, and its lock may block a start. */
export const prepareSocketFolder = (folder: string, account: Account): void => {
  mkdirSync(folder, { mode: 0o700, recursive: true })
  const self = process.getuid?.() ?? 0
  const uid = account.uid ?? self
  const found = lstatSync(folder)
  // Only in the shared temporary folder could it be somebody else's.
  const known = [self, uid].includes(found.uid) || (self === 0 && basename(folder) === inside)
  if (!found.isDirectory() || !known)
    throw new Explained(
      `${folder} belongs to somebody else, but the socket of the database must be there. Remove it.`,
    )
  if (found.uid !== uid) lchownSync(folder, uid, account.gid!)
  chmodSync(folder, 0o700)
  for (const name of [socketName, `${socketName}.lock`]) rmSync(join(folder, name), { force: true })
}

/** Sockets cannot collide with another program. Windows has none that both drivers use: a free loopback port. */
export const listenSettings = async (folder: string): Promise<Record<string, string>> =>
  process.platform === 'win32'
    ? { listen_addresses: '127.0.0.1', port: `${await freePort()}`, unix_socket_directories: '' }
    : {
        listen_addresses: '',
        port: `${port}`,
        unix_socket_directories: `"${folder.replaceAll('"', '""')}"`,
      }

const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer().on('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })

export const connectionUrl = (running: PidFile, password: string): string => {
  const host = running.socketFolder ? encodeURIComponent(running.socketFolder) : '127.0.0.1'
  return `postgres://marquee:${password}@${host}:${running.port}/marquee`
}

/** Whether a running server listens where Marquee would have it listen. */
export const isOurs = (running: PidFile, place: Place): boolean =>
  process.platform === 'win32' || running.socketFolder === socketFolder(place)

export const answers = ({ socketFolder, port }: PidFile): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = socketFolder ? connect(join(socketFolder, `.s.PGSQL.${port}`)) : connect(port, '127.0.0.1')
    const done = (answer: boolean) => {
      socket.destroy()
      resolve(answer)
    }
    socket.setTimeout(2000, () => done(false))
    socket.on('connect', () => done(true)).on('error', () => done(false))
  })
