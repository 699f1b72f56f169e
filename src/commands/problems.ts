import { BadConfiguration } from '../config.ts'
import { Failure } from '../errors.ts'
import { Explained } from '../explained.ts'
import { red, say } from './terminal.ts'

type Told = NodeJS.ErrnoException & { port?: number; severity?: string }

const listening: Record<string, (port: string) => string> = {
  EADDRINUSE: (port) =>
    `Port ${port} is in use by another program. Stop it, or choose other ports, for example ` +
    'MARQUEE_PORT=9443 MARQUEE_HTTP_PORT=9080 npm start',
  EACCES: (port) => `This user may not listen on port ${port}. Choose one above 1023 with MARQUEE_PORT.`,
  EADDRNOTAVAIL: () => 'MARQUEE_HOST is not an address of this machine.',
}

/** Of a database that was configured; the embedded one explains itself. */
const connecting = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'ETIMEDOUT',
  'EAI_AGAIN',
  '28P01',
  '28000',
  '3D000',
  '53300',
])

const inWords = (error: Told): string | undefined => {
  const { code = '', syscall, port, message, severity } = error
  if (syscall === 'listen' || syscall === 'bind') return listening[code]?.(String(port))
  if (connecting.has(code) || severity === 'FATAL')
    return `The database of DATABASE_URL cannot be used: ${message}. Check the address, the user and the server.`
  return undefined
}

/** What went wrong, in words; a stack only for what we did not foresee. Gives the exit code. */
export const explain = (error: unknown): number => {
  const known = error instanceof BadConfiguration || error instanceof Explained || error instanceof Failure
  const { message, stack } = error as Error
  say(`\n${red('✗')} ${known ? message : (inWords(error as Told) ?? stack ?? String(error))}`)
  return error instanceof BadConfiguration ? 2 : 1
}
