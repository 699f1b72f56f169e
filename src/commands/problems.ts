import { BadConfiguration } from '../config.ts'
import { Failure } from '../errors.ts'
import { red, say } from './terminal.ts'

/** A mistake of the caller that needs no stack: the message says what to do. */
export class Explained extends Error {
  override name = 'Explained'
}

const listening: Record<string, (port: string) => string> = {
  EADDRINUSE: (port) =>
    `Port ${port} is in use by another program. Stop it, or choose other ports, for example ` +
    'MARQUEE_PORT=9443 MARQUEE_HTTP_PORT=9080 npm start',
  EACCES: (port) => `This user may not listen on port ${port}. Choose one above 1023 with MARQUEE_PORT.`,
  EADDRNOTAVAIL: () => 'MARQUEE_HOST is not an address of this machine.',
}

/** What went wrong, in words; a stack only for what we did not foresee. Gives the exit code. */
export const explain = (error: unknown): number => {
  const { code, syscall, port } = error as NodeJS.ErrnoException & { port?: number }
  const words = syscall === 'listen' || syscall === 'bind' ? listening[code ?? '']?.(String(port)) : undefined
  const known = error instanceof BadConfiguration || error instanceof Explained || error instanceof Failure
  const plain = known || (error as Error).name === 'EmbeddedProblem'
  say(
    `\n${red('✗')} ${words ?? (plain ? (error as Error).message : ((error as Error).stack ?? String(error)))}`,
  )
  return error instanceof BadConfiguration ? 2 : 1
}
