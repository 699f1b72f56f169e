import { readFileSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** PostgreSQL's postmaster.pid; its last line says how far the server is. */
export type PidFile = { pid: number; port: number; socketFolder: string; status: string }

export const readPidFile = (cluster: string): PidFile | undefined => {
  const text = readText(cluster)
  if (text === undefined) return undefined
  const [pid, , , port, socketFolder, , , status] = text.split('\n')
  return {
    pid: Math.abs(Number(pid)) || 0,
    port: Number(port) || 0,
    socketFolder: socketFolder?.trim() ?? '',
    status: status?.trim() ?? '',
  }
}

const readText = (cluster: string): string | undefined => {
  try {
    return readFileSync(join(cluster, 'postmaster.pid'), 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

const nobodysPid = 2 ** 31 - 1

/**
 * Makes PostgreSQL take the file for what it is, a left-over. It is kept rather than removed, because its other
 * lines let PostgreSQL see whether processes of the old server still hold the shared memory.
 */
export const disownPidFile = async (cluster: string): Promise<void> => {
  const file = join(cluster, 'postmaster.pid')
  const text = readText(cluster)
  if (!Number(text?.split('\n')[0])) await rm(file, { force: true })
  else await writeFile(file, text!.replace(/^[^\n]*/, `${nobodysPid}`))
}
