import { FormData } from 'undici'

export const multipart = (parts: [string, string][], boundary = 'b0und') => ({
  raw: `${parts.map(([name, value]) => `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`).join('')}--${boundary}--\r\n`,
  headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
})
export const formOf = (parts: [string, string | Blob][]) => {
  const form = new FormData()
  for (const [name, value] of parts) form.append(name, value)
  return form as unknown as globalThis.FormData
}
export const urlencoded = (raw: string) => ({
  raw,
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
})
export const json = (raw: string | Buffer) => ({ raw, headers: { 'content-type': 'application/json' } })
