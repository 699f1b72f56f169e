import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, readlinkSync, realpathSync } from 'node:fs'
import { basename } from 'node:path'

const attempt = <T>(read: () => T): T | undefined => {
  try {
    return read()
  } catch {
    return undefined
  }
}

const linux = process.platform === 'linux'

/** Fields of /proc/<pid>/stat from the state on; the name before them may itself hold spaces and brackets. */
const stat = (pid: number): string[] => {
  const line = attempt(() => readFileSync(`/proc/${pid}/stat`, 'latin1')) ?? ''
  return line.slice(line.lastIndexOf(')') + 2).split(' ')
}

/** Whether the pid is taken, be it by a dead child that nobody collects (a container without an init). */
export const taken = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

export const alive = (pid: number): boolean => taken(pid) && !(linux && stat(pid)[0] === 'Z')

/** When a process began; together with the pid it names one process, even after the pid is used again. */
const began = (pid: number): string => {
  if (linux) {
    const boot = attempt(() => readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim()) ?? ''
    const ticks = stat(pid)[19]
    return ticks ? `${boot}:${ticks}` : ''
  }
  if (process.platform === 'win32') return ''
  return (
    attempt(() => execFileSync('ps', ['-o', 'lstart=', '-p', `${pid}`], { encoding: 'utf8' }).trim()) ?? ''
  )
}

let own: string | undefined

/** What a lock or owner file holds: this very process. */
export const stamp = (): string => {
  own ??= `${process.pid} ${began(process.pid)}`
  return own
}

/** The pid of the process that wrote the stamp, if that process is still there. */
export const living = (written: string): number | undefined => {
  const [, pid, since] = /^(\d+) (.*)/.exec(written) ?? []
  if (!pid || !alive(Number(pid))) return undefined
  const now = began(Number(pid))
  return since && now && since !== now ? undefined : Number(pid)
}

const commandLine = (pid: number | string): string[] =>
  (attempt(() => readFileSync(`/proc/${pid}/cmdline`, 'utf8')) ?? '').split('\0')

const isNamed = (commandLine: string[], clusterName: string): boolean =>
  basename(commandLine[0] ?? '') === 'postgres' && commandLine.includes(`cluster_name=${clusterName}`)

/** Whether the process is the postmaster of the cluster; undefined where the system does not tell. */
export const isPostmaster = (pid: number, cluster: string, clusterName: string): boolean | undefined => {
  if (!alive(pid)) return false
  if (!linux) return undefined
  const line = commandLine(pid)
  if (isNamed(line, clusterName)) return true
  // Started by hand, or its folder was renamed since.
  const folder = attempt(() => readlinkSync(`/proc/${pid}/cwd`))
  return basename(line[0] ?? '') === 'postgres' && folder === attempt(() => realpathSync(cluster))
}

/** What runs for a cluster, by its name: in the arguments of a postmaster, in the titles of its children. */
export const serverProcesses = (clusterName: string): { postmasters: number[]; children: number[] } => {
  const pids = linux ? readdirSync('/proc').filter((name) => /^\d+$/.test(name)) : []
  const lines = pids.map((pid) => ({ pid: Number(pid), line: commandLine(pid) }))
  const alivePids = (found: typeof lines) => found.map(({ pid }) => pid).filter(alive)
  return {
    postmasters: alivePids(lines.filter(({ line }) => isNamed(line, clusterName))),
    children: alivePids(lines.filter(({ line }) => line[0]?.startsWith(`postgres: ${clusterName}: `))),
  }
}
