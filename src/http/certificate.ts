import { createPrivateKey, X509Certificate } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { mkdir, rename, writeFile } from 'node:fs/promises'
import { isIP } from 'node:net'
import { join } from 'node:path'
import type { Config } from '../config.ts'

export type Certificate = { cert: string; key: string }

const days = 86_400_000

/** The configured pair, or a self-signed one kept in the data folder and made anew before it runs out. */
export const certificateFor = async (config: Config): Promise<Certificate & { selfSigned: boolean }> => {
  if (config.tlsCert && config.tlsKey)
    return {
      cert: readFileSync(config.tlsCert, 'utf8'),
      key: readFileSync(config.tlsKey, 'utf8'),
      selfSigned: false,
    }
  const hosts = hostsOf(config)
  const kept = readKept(config.data)
  if (kept && isUsable(kept, hosts)) return { ...kept, selfSigned: true }
  const made = await makeCertificate(hosts)
  await keep(config.data, made)
  return { ...made, selfSigned: true }
}

const hostsOf = (config: Config): string[] =>
  [new URL(config.publicUrl).hostname, config.cdnHost, config.authHost, config.customersHost]
    .filter((host) => host !== undefined)
    .map((host) => host.replace(/:\d+$/, '').replace(/^\[|\]$/g, ''))

const pathsOf = (data: string) => ({ cert: join(data, 'tls', 'cert.pem'), key: join(data, 'tls', 'key.pem') })

const readKept = (data: string): Certificate | undefined => {
  const { cert, key } = pathsOf(data)
  if (!existsSync(cert) || !existsSync(key)) return undefined
  return { cert: readFileSync(cert, 'utf8'), key: readFileSync(key, 'utf8') }
}

/** A kill between the two leaves a pair that does not fit, which the next start sees and replaces. */
const keep = async (data: string, { cert, key }: Certificate): Promise<void> => {
  const paths = pathsOf(data)
  await mkdir(join(data, 'tls'), { recursive: true, mode: 0o700 })
  await writeFile(`${paths.key}.new`, key, { mode: 0o600 })
  await rename(`${paths.key}.new`, paths.key)
  await writeFile(`${paths.cert}.new`, cert)
  await rename(`${paths.cert}.new`, paths.cert)
}

const isUsable = ({ cert, key }: Certificate, hosts: string[]): boolean => {
  try {
    const parsed = new X509Certificate(cert)
    const names = (host: string) => (isIP(host) ? parsed.checkIP(host) : parsed.checkHost(host)) !== undefined
    const fresh = new Date(parsed.validTo).getTime() - Date.now() > 7 * days
    return fresh && parsed.checkPrivateKey(createPrivateKey(key)) && hosts.every(names)
  } catch {
    return false
  }
}

export const makeCertificate = async (hosts: string[]): Promise<Certificate> => {
  const { generate } = await import('selfsigned')
  const names = [...new Set(['localhost', '127.0.0.1', '::1', ...hosts])]
  const made = await generate([{ name: 'commonName', value: 'localhost' }], {
    keyType: 'ec',
    curve: 'P-256',
    algorithm: 'sha256',
    notAfterDate: new Date(Date.now() + 397 * days),
    extensions: [
      { name: 'basicConstraints', cA: false },
      { name: 'keyUsage', digitalSignature: true },
      { name: 'extKeyUsage', serverAuth: true },
      {
        name: 'subjectAltName',
        altNames: names.map((name) =>
          isIP(name) ? { type: 7 as const, ip: name } : { type: 2 as const, value: name },
        ),
      },
    ],
  })
  return { cert: made.cert, key: made.private }
}
