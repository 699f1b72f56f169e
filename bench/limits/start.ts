import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

/** One of the servers here in a process of its own, with what it says of itself. */
export const start = async <T>(file: string, args: string[]) => {
  const child = fork(fileURLToPath(new URL(file, import.meta.url)), args)
  const [message] = (await once(child, 'message')) as [T]
  const stop = async () => {
    child.send('stop')
    await once(child, 'exit')
  }
  return { ...message, stop }
}
