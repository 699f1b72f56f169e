import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { type Account, commandAs } from './account.ts'
import { failed, notRun } from './explain.ts'

/** Nothing of this process's environment: it may hold secrets, and PG* names would change the server. */
const env = { PATH: '/usr/bin:/bin', LC_ALL: 'C' }

/** A folder that every account may be in. */
const cwd = process.platform === 'win32' ? undefined : '/'

/** Starts a PostgreSQL program; `onError` hears why it could not even be started. */
export const spawnAs = (
  account: Account,
  program: string,
  args: string[],
  more: SpawnOptions,
  onError: (error: Error) => void,
): ChildProcess => {
  const { file, args: all, options } = commandAs(account, program, args)
  try {
    const child = spawn(file, all, { ...options, env, cwd, windowsHide: true, ...more })
    return child.on('error', (error) => onError(notRun(program, error)))
  } catch (error) {
    // Node throws what it does not emit, such as EPERM.
    throw notRun(program, error as Error)
  }
}

/** Runs one PostgreSQL program to its end. */
export const run = (account: Account, program: string, args: string[], input = ''): Promise<string> =>
  new Promise((resolve, reject) => {
    const child = spawnAs(account, program, args, { stdio: 'pipe' }, reject)
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding('utf8').on('data', (text: string) => {
        output += text
      })
    child.on('close', (code, signal) => {
      if (code === 0) resolve(output)
      else reject(failed(`${program} failed (${signal ?? `exit code ${code}`}).`, output))
    })
    // A program that fails early closes its input; its output tells why.
    child.stdin?.on('error', () => {})
    child.stdin?.end(input)
  })
