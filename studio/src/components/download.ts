import { api } from '../api/client.ts'

/** Hands a text or an answer to the browser as a file. */
export const saveFile = (name: string, content: Blob): void => {
  const url = URL.createObjectURL(content)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}

/** The token is kept in memory alone, so a plain link could not fetch it. */
export const download = async (path: string, name: string): Promise<void> =>
  saveFile(name, await (await api.fetch('GET', path)).blob())
