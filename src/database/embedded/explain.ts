import { closeSync, existsSync, fstatSync, openSync, readSync } from 'node:fs'
import { dirname } from 'node:path'
import { Explained } from '../../explained.ts'

/** The lines that say why, of what a PostgreSQL program wrote. */
const relevantLines = (output: string): string => {
  const lines = output.split('\n').filter((line) => line.trim())
  const telling = lines.filter((line) =>
    /FATAL|PANIC|ERROR|HINT|DETAIL|error|could not|cannot|setpriv/.test(line),
  )
  return (telling.length ? telling : lines)
    .slice(-8)
    .map((line) => `  ${line}`)
    .join('\n')
}

/** What the log gained since it was `from` bytes long, at most the last 64 KB. */
export const logSince = (file: string, from: number): string => {
  if (!existsSync(file)) return ''
  const log = openSync(file, 'r')
  try {
    const { size } = fstatSync(log)
    const start = Math.max(from, size - 65_536, 0)
    const buffer = Buffer.alloc(Math.max(size - start, 0))
    readSync(log, buffer, 0, buffer.length, start)
    return buffer.toString('utf8')
  } finally {
    closeSync(log)
  }
}

/** What can be done about it, for the causes that are known. */
const advice = (output: string): string => {
  if (/No space left on device|Check free disk space|Disk quota exceeded/i.test(output))
    return 'The disk is full. Free some space and start again; nothing that was stored is lost.'
  if (/error while loading shared libraries/.test(output))
    return 'The PostgreSQL package is incomplete or a system library is missing. Run npm rebuild (installing with --ignore-scripts leaves links out), or set DATABASE_URL.'
  if (/Cannot allocate memory|could not map anonymous shared memory/i.test(output))
    return 'There is too little memory for 256 MB of shared buffers. Give the machine or container at least 512 MB, or set DATABASE_URL.'
  if (/could not look up effective user ID/.test(output))
    return 'This user has no entry in /etc/passwd, which PostgreSQL needs. Add one, run as another user, or set DATABASE_URL.'
  if (/still in use|Is another postmaster/.test(output))
    return 'Processes of an earlier server still use the folder. End them and start again.'
  return ''
}

export const failed = (what: string, output: string, log?: string): Error => {
  const lines = relevantLines(output)
  const parts = [what, advice(output), lines && `It said:\n${lines}`, log && `The log is ${log}`]
  return new Explained(parts.filter(Boolean).join('\n'))
}

/** A program that could not even be started. */
export const notRun = (file: string, error: NodeJS.ErrnoException): Error => {
  const reasons: Record<string, string> = {
    ENOENT: existsSync(file)
      ? 'This system lacks the C library that it was built for (Alpine and other musl systems cannot run it).'
      : 'It is missing. Run npm ci again.',
    EACCES: `It may not be executed. Check the permissions of ${dirname(file)}, and that its disk is not mounted noexec.`,
    EPERM:
      'This root may not change to another user (a container without the capabilities setuid and setgid).',
    EINVAL: 'This root may not change to another user (a container that maps only one user).',
  }
  const reason = reasons[error.code ?? ''] ?? error.message
  return new Explained(`${file} could not be run. ${reason} Otherwise, set DATABASE_URL.`, { cause: error })
}

/** Errors of the file system, said so that one knows what to do. */
export const explained = (error: unknown, folder: string): unknown => {
  const { code, path } = (error ?? {}) as NodeJS.ErrnoException
  const at = path ?? folder
  const says: Record<string, string> = {
    ENOSPC: `The disk of ${folder} is full. Free some space and start again; nothing that was stored is lost.`,
    EDQUOT: `The disk quota for ${folder} is used up. Free some space and start again.`,
    EROFS: `${at} is on a read-only disk. Set MARQUEE_DATA to a folder that can be written.`,
    EACCES: `${at} cannot be read or written by this user. Correct its permissions or owner, or set MARQUEE_DATA to another folder.`,
    EPERM: `${at} cannot be changed by this user (a container's root may lack the capability chown). Correct its owner, or set MARQUEE_DATA to another folder.`,
    EBUSY: `${at} is a mount point. Mount the volume on ${folder} itself.`,
    ENOTDIR: `${at} is not a folder. Set MARQUEE_DATA to a folder.`,
    EEXIST: `${at} is in the way: a folder is needed there. Move it, or set MARQUEE_DATA to another folder.`,
  }
  const message = code && says[code]
  return message ? new Explained(message, { cause: error }) : error
}
