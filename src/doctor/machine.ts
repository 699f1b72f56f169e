import { accessSync, constants, existsSync, readFileSync, statfsSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Config } from '../config.ts'
import { requireOwnership } from '../database/embedded/account.ts'
import { type Finding, ok, problem, warning } from './finding.ts'

export const checkNode = (): Finding => {
  const [major = 0] = process.versions.node.split('.').map(Number)
  return major >= 24
    ? ok('Node.js', `Version ${process.versions.node}`)
    : problem('Node.js', `Version ${process.versions.node} is too old; run npm ci, which brings version 24`)
}

export const checkFolder = ({ data, databaseUrl }: Config): Finding[] => {
  if (!existsSync(data))
    return [
      warning('Data folder', `${data} does not exist yet; the first start makes it`),
      checkSpace(dirname(data)),
    ]
  try {
    accessSync(data, constants.R_OK | constants.W_OK | constants.X_OK)
    if (!databaseUrl) requireOwnership(data, join(data, 'postgres'))
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    const words =
      code === 'EACCES'
        ? `This user may not write to ${data}; give it the folder, or set MARQUEE_DATA`
        : message
    return [problem('Data folder', words)]
  }
  const open = ['secret.key', 'postgres.password', 'tls/key.pem'].filter((name) => isOpen(join(data, name)))
  const folder =
    open.length > 0
      ? warning('Data folder', `Other users may read ${open.join(', ')} in ${data}; run chmod 600 on it`)
      : ok('Data folder', `${data} can be read and written`)
  return [folder, checkSpace(data)]
}

const isOpen = (file: string): boolean =>
  process.platform !== 'win32' && existsSync(file) && (statSync(file).mode & 0o077) !== 0

const gigabyte = 1e9

const checkSpace = (folder: string): Finding => {
  let place = folder
  while (!existsSync(place)) place = dirname(place)
  const { bavail, bsize } = statfsSync(place)
  const free = bavail * bsize
  const text = `${(free / gigabyte).toFixed(free < 10 * gigabyte ? 2 : 0)} GB free`
  if (free < gigabyte / 10)
    return problem('Disk space', `${text}; PostgreSQL stops when the disk is full, so free some`)
  return free < gigabyte
    ? warning('Disk space', `${text}; that is little, make room soon`)
    : ok('Disk space', text)
}

export const checkSecret = ({ secretKey, data }: Config): Finding => {
  if (secretKey) return ok('Secret key', 'Given by MARQUEE_SECRET_KEY; keep a copy, no backup holds it')
  const file = join(data, 'secret.key')
  if (existsSync(file))
    return readFileSync(file, 'utf8').trim().length >= 32
      ? ok('Secret key', `Kept in ${file}`)
      : problem(
          'Secret key',
          `${file} is cut off; put back the one from a backup (tar -xzOf <backup> secret.key)`,
        )
  return existsSync(join(data, 'postgres'))
    ? problem(
        'Secret key',
        `${file} is missing, so encrypted values cannot be read; put back the one from a backup (tar -xzOf <backup> secret.key)`,
      )
    : ok('Secret key', 'The first start makes one')
}
